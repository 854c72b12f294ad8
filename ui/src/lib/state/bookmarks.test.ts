import { beforeEach, expect, it, vi } from 'vitest';
import { call, type Bookmark } from '../ipc';
import { setCatalogue } from '../messages/catalogue.svelte';
import en from '../messages/en.json';
import { bookmarks } from './bookmarks.svelte';
import { library } from './library.svelte';
import { toasts } from './toasts.svelte';

vi.mock('../ipc', async (original) => ({ ...(await original<object>()), call: vi.fn() }));
setCatalogue(en, 'en');

/** What the core says about each site: an error, a feed, or nothing. */
let sites: Record<string, string | null>;
const picked = (): Bookmark[] => Object.keys(sites).map((url) => ({ title: '', url }));
const added = () => vi.mocked(call).mock.calls.filter(([name]) => name === 'subscribe');
const subscribe = async () =>
  (await bookmarks.subscribe(picked()))?.map(({ site, error }) => [site.url, error?.code ?? null]);

beforeEach(() => {
  toasts.forget();
  vi.spyOn(library, 'load').mockResolvedValue(true);
  vi.mocked(call)
    .mockReset()
    .mockImplementation(((name: string, args: { address?: string }) => {
      if (name === 'subscribe') return Promise.resolve({ feed_id: added().length });
      if (name !== 'discover') return Promise.resolve(null);
      const answer = sites[args.address ?? ''] ?? null;
      if (answer === null) return Promise.resolve({ kind: 'feeds', candidates: [] });
      if (answer.startsWith('https:'))
        return Promise.resolve({ kind: 'feeds', candidates: [{ url: answer, subscribed: null }] });
      return Promise.reject({ code: answer, params: {} });
    }) as never);
});

it('goes on after a site that cannot be read, and says of each why its feed was not found', async () => {
  sites = {
    'https://gone.example': 'offline',
    'https://refused.example': 'connection_refused',
    'https://bare.example': 'no_feed',
    'https://empty.example': null,
    'https://grain.example': 'https://grain.example/feed',
  };
  expect(await subscribe()).toEqual([
    ['https://gone.example', 'offline'],
    ['https://refused.example', 'connection_refused'],
    ['https://bare.example', null],
    ['https://empty.example', null],
  ]);
  expect([added().length, bookmarks.search]).toEqual([1, null]);
});

it('fails if the computer is offline', async () => {
  sites = { 'https://a.example': 'offline', 'https://b.example': 'offline' };
  await expect(subscribe()).rejects.toMatchObject({ code: 'offline' });
  expect([added().length, bookmarks.search]).toEqual([0, null]);
});

it('keeps the folders of the browser if the user wants', async () => {
  sites = { 'https://a.example': 'https://a.example/feed', 'https://b.example': 'https://b.example/feed' };
  const [one, other] = picked() as [Bookmark, Bookmark];
  const these = [{ ...one, folder: 'On rye' }, other];
  await bookmarks.subscribe(these, true);
  await bookmarks.subscribe(these);
  const none = { kind: 'none' };
  expect(added().map(([, args]) => (args as { folder: unknown }).folder)).toEqual([
    { kind: 'new', name: 'On rye' },
    none,
    none,
    none,
  ]);
});
