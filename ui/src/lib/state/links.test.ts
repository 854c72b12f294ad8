// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { dialogs } from './dialogs.svelte';
import { links } from './links.svelte';

const told = vi.hoisted(() => [] as string[][]);

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: string, args: { addresses: string[] }) => {
    if (name === 'doubt_links') told.push(args.addresses);
    return Promise.resolve(null);
  },
}));

const page = (...hosts: string[]) =>
  new DOMParser().parseFromString(
    hosts.map((host) => `<a href="https://${host}/">bank.example</a>`).join(''),
    'text/html',
  );

beforeEach(() => {
  links.gone('article');
  links.gone('comments');
  told.length = 0;
});

it('are doubted before their page is loaded, and as long as it is shown', () => {
  links.coming('article', page('evil.example'));
  expect(told).toEqual([['https://evil.example/']]);
  links.come('article');
  links.coming('article', page('evil.example', 'bank.example'));
  links.come('article');
  expect(told).toHaveLength(1);
  links.coming('article', page('other.example'));
  expect(told.at(-1)).toEqual(['https://other.example/', 'https://evil.example/']);
  links.come('article');
  expect(told.at(-1)).toEqual(['https://other.example/']);
  links.gone('article');
  expect(told.at(-1)).toEqual([]);
});

it('are of comments as well as of the article', () => {
  links.coming('article', page('evil.example'));
  links.coming('comments', page('worse.example'));
  expect(told.at(-1)).toEqual(['https://evil.example/', 'https://worse.example/']);
  links.asked('https://worse.example/');
  expect(dialogs.open).toMatchObject({ kind: 'doubted_link', link: { doubts: [{ kind: 'claims' }] } });
  dialogs.close();
  links.gone('article');
  expect(told.at(-1)).toEqual(['https://worse.example/']);
});
