// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { dialogs } from './dialogs.svelte';
import { suspiciousLinks } from './suspicious-links.svelte';

const reported = vi.hoisted(() => [] as string[][]);

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: string, args: { addresses: string[] }) => {
    if (name === 'set_suspicious_links') reported.push(args.addresses);
    return Promise.resolve(null);
  },
}));

const page = (...hosts: string[]) =>
  new DOMParser().parseFromString(
    hosts.map((host) => `<a href="https://${host}/">bank.example</a>`).join(''),
    'text/html',
  );

beforeEach(() => {
  suspiciousLinks.removed('article');
  suspiciousLinks.removed('comments');
  reported.length = 0;
});

it('are reported before their page is loaded, and while it is displayed', () => {
  suspiciousLinks.prepare('article', page('evil.example'));
  expect(reported).toEqual([['https://evil.example/']]);
  suspiciousLinks.displayed('article');
  suspiciousLinks.prepare('article', page('evil.example', 'bank.example'));
  suspiciousLinks.displayed('article');
  expect(reported).toHaveLength(1);
  suspiciousLinks.prepare('article', page('other.example'));
  expect(reported.at(-1)).toEqual(['https://other.example/', 'https://evil.example/']);
  suspiciousLinks.displayed('article');
  expect(reported.at(-1)).toEqual(['https://other.example/']);
  suspiciousLinks.removed('article');
  expect(reported.at(-1)).toEqual([]);
});

it('are collected from comments as well', () => {
  suspiciousLinks.prepare('article', page('evil.example'));
  suspiciousLinks.prepare('comments', page('worse.example'));
  expect(reported.at(-1)).toEqual(['https://evil.example/', 'https://worse.example/']);
  suspiciousLinks.clicked('https://worse.example/');
  expect(dialogs.open).toMatchObject({ kind: 'suspicious_link', link: { reasons: [{ kind: 'claims' }] } });
  dialogs.close();
  suspiciousLinks.removed('article');
  expect(reported.at(-1)).toEqual(['https://worse.example/']);
});
