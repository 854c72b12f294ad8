import { expect, it, vi } from 'vitest';
import type { Feed } from '../ipc';
import en from '../messages/en.json';
import { setCatalogue } from '../messages/catalogue.svelte';
import { changeAddress } from './feed-changes';
import { toasts } from './toasts.svelte';

vi.mock('../ipc', async (original) => ({
  ...(await original<object>()),
  call: vi.fn(() => Promise.resolve({ undo: 1 })),
}));
setCatalogue(en, 'en');

it.each([
  ['http://barley.example/feed', 'https://oats.example/rss', 'oats.example'],
  ['https://oats.example/feed', 'https://user:secret@oats.example/rss?n=2#top', 'https://oats.example/rss?n=2'],
  ['http://oats.example/feed', 'https://oats.example/feed', 'https://oats.example/feed'],
  ['file:///feeds/oats.xml', 'https://oats.example/feed', 'oats.example'],
])('says what is new of the address: %s, %s', async (url, changed, said) => {
  await changeAddress({ id: 1, title: 'Oats', url } as Feed, changed);
  expect(toasts.shown.at(-1)?.text).toBe(`Oats is now downloaded from ${said}`);
});
