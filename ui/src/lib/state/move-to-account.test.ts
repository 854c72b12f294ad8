// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import type { Feed, Folder, SyncLogEntry } from '../ipc';
import en from '../messages/en.json';
import { setCatalogue } from '../messages/catalogue.svelte';

const host = vi.hoisted(() => ({ log: [] as unknown[], feeds: [] as unknown[], read: 0 }));
vi.mock('../ipc', async (original) => ({
  ...(await original<object>()),
  call: (command: string) => {
    if (command === 'move_to_account') return Promise.resolve({ undo: 7 });
    if (command === 'sync_log') {
      host.read++;
      return Promise.resolve(host.log);
    }
    if (command !== 'overview') return Promise.resolve(null);
    const folders = [{ id: 5, name: 'Miniflux', parent_id: null, account: { id: 3 } } as Folder];
    const counts = { smart: { today: 0, unread: 0, starred: 0, all: 0 }, unread: [] };
    return Promise.resolve({ folders, feeds: host.feeds, counts, first_run: false });
  },
}));

const { library } = await import('./library.svelte');
const { areInSeveralAccounts, moveToAccount } = await import('./move-to-account.svelte');
const { toasts } = await import('./toasts.svelte');
setCatalogue(en, 'en');

const feed = (id: number, account_id?: number) =>
  ({ id, title: `Feed ${String(id)}`, url: `https://e.org/${String(id)}`, account_id }) as Feed;
const refused = (id: number, at = Date.now()) =>
  ({ at, rejections: [{ kind: 'refused', title: feed(id).url }] }) as unknown as SyncLogEntry;
const shown = () => toasts.shown.map(({ text }) => text);

async function load(...feeds: Feed[]): Promise<void> {
  host.feeds = feeds;
  await library.load();
  flushSync();
}

async function move(): Promise<void> {
  await load(feed(1), feed(2), feed(4, 3));
  host.feeds = [feed(1, 3), feed(2, 3), feed(4, 3)];
  await moveToAccount([1, 2, 4], 3);
  flushSync();
}

it('reports the feeds that the server refused', async () => {
  await move();
  expect(shown()).toEqual(['2 feeds moved to Miniflux']);
  await load(feed(1, 3), feed(2, 3), feed(4, 3));
  expect(shown()).toEqual(['2 feeds moved to Miniflux']);
  host.log = [refused(1), refused(2)];
  await load(feed(1), feed(2), feed(4, 3));
  await vi.waitFor(() =>
    expect(shown()).toEqual(['Not moved because Miniflux refused to subscribe: Feed 1 and Feed 2']),
  );
  expect(toasts.shown[0]?.isError).toBe(true);
});

it('does not report feeds that the user moved back', async () => {
  host.log = [refused(1, Date.now() - 60_000)];
  host.read = 0;
  await move();
  await load(feed(1), feed(2), feed(4, 3));
  await vi.waitFor(() => expect(host.read).toBe(1));
  await new Promise(queueMicrotask as (resolve: (value: unknown) => void) => void);
  expect(shown()).toEqual(['2 feeds moved to Miniflux']);
});

it('knows feeds that no folder can hold together', async () => {
  await load(feed(1), feed(2), feed(4, 3));
  expect([[1, 2], [4], [1, 4]].map(areInSeveralAccounts)).toEqual([false, false, true]);
});
