// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { dialogs } from './dialogs.svelte';
import { suspiciousLinks } from './suspicious-links.svelte';

const { reported, core } = vi.hoisted(() => ({
  reported: [] as string[][],
  core: { answer: Promise.resolve() },
}));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: string, args: { addresses: string[] }) => {
    if (name === 'set_suspicious_links') reported.push(args.addresses);
    return core.answer;
  },
}));

const page = (...hosts: string[]) =>
  new DOMParser().parseFromString(
    hosts.map((host) => `<a href="https://${host}/">bank.example</a>`).join(''),
    'text/html',
  );

/** Waits until the core knows the links, and returns them. */
async function known(): Promise<string[] | undefined> {
  await suspiciousLinks.prepare('window-1', page());
  suspiciousLinks.removed('window-1');
  return reported.at(-1);
}

beforeEach(async () => {
  suspiciousLinks.removed('article');
  suspiciousLinks.removed('comments');
  await known();
  reported.length = 0;
});

it('are reported before their page is loaded, and while it is displayed', async () => {
  suspiciousLinks.prepare('article', page('evil.example'));
  expect(reported).toEqual([['https://evil.example/']]);
  suspiciousLinks.displayed('article');
  suspiciousLinks.prepare('article', page('evil.example', 'bank.example'));
  suspiciousLinks.displayed('article');
  expect(reported).toHaveLength(1);
  suspiciousLinks.prepare('article', page('other.example'));
  expect(await known()).toEqual(['https://other.example/', 'https://evil.example/']);
  suspiciousLinks.displayed('article');
  expect(await known()).toEqual(['https://other.example/']);
  suspiciousLinks.removed('article');
  expect(await known()).toEqual([]);
});

it('are collected from comments as well', async () => {
  suspiciousLinks.prepare('article', page('evil.example'));
  suspiciousLinks.prepare('comments', page('worse.example'));
  expect(await known()).toEqual(['https://evil.example/', 'https://worse.example/']);
  suspiciousLinks.clicked('https://worse.example/');
  expect(dialogs.open).toMatchObject({ kind: 'suspicious_link', link: { reasons: [{ kind: 'claims' }] } });
  dialogs.close();
  suspiciousLinks.removed('article');
  expect(await known()).toEqual(['https://worse.example/']);
});

it('are reported one after the other, and a page waits until the core knows its links', async () => {
  let answer = () => {};
  core.answer = new Promise((resolve) => (answer = resolve));
  suspiciousLinks.prepare('article', page('evil.example'));
  suspiciousLinks.prepare('article', page('evil.example', 'worse.example'));
  suspiciousLinks.displayed('article');
  const waiting = suspiciousLinks.prepare('comments', page('worse.example'));
  expect([reported, waiting]).toEqual([[['https://evil.example/']], expect.any(Promise)]);
  answer();
  await waiting;
  expect(reported.at(-1)?.toSorted()).toEqual(['https://evil.example/', 'https://worse.example/']);
  expect(suspiciousLinks.prepare('comments', page('worse.example'))).toBeNull();
});
