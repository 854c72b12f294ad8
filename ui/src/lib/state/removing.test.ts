/** What is shown when the list of a feed, folder or tag goes. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import { openWindow } from '../../../tests/window';
import type { CommandName, Feed, Folder, Source, Tag } from '../ipc';
import type { TreeRow } from '../tree';
import { act } from './actions';
import { collections, deleteTag } from './collections.svelte';
import { deleteFolder, unsubscribe } from './feeds';
import { library } from './library.svelte';
import { list, sameSource } from './list.svelte';
import { showSearch, showSource } from './navigation';
import { search } from './search.svelte';
import { sidebar } from './sidebar.svelte';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
  on: (name: never, handler: never) => {
    const stop = test.core?.on(name, handler);
    return () => void stop?.then((end) => end());
  },
}));

const core = () => test.core as TestCore;
const settle = () => core().settle();

let close: () => Promise<void>;

beforeEach(async () => {
  test.core = await TestCore.open();
  close = await openWindow(core());
});

afterEach(() => close());

const rowOf = (row: TreeRow): Source =>
  row.kind === 'folder' ? { kind: 'folder', id: row.folder.id } : { kind: 'feed', id: row.feed.id };

async function show(source: Source): Promise<void> {
  void showSource(source);
  await settle();
}

it('goes to the next row of the sidebar, and back when it is undone', async () => {
  const rows = sidebar.tree.map(rowOf);
  const folder = library.folders.find(({ open }) => open) as Folder;
  const inside = library.feeds.filter(({ folder_id }) => folder_id === folder.id);
  const at = rows.findIndex((row) => sameSource(row, { kind: 'folder', id: folder.id }));
  await show(rows[at] as Source);
  void deleteFolder(folder, inside);
  await settle();
  expect(list.source).toEqual(rows[at + 1 + inside.length]);
  act('undo');
  await settle();
  expect(list.source).toEqual(rows[at]);
  // Its feeds move up one level.
  void deleteFolder(folder);
  await settle();
  expect(list.source).toEqual(rows[at + 1]);
  act('undo');
  await settle();
  const last = library.tree.at(-1) as Extract<TreeRow, { kind: 'feed' }>;
  await show(rowOf(last));
  void unsubscribe([last.feed]);
  await settle();
  expect(list.source).toEqual(rows.at(-2));
});

it('goes to the closed folder around it', async () => {
  const folder = library.folders.find(({ open }) => open) as Folder;
  const [feed, other] = library.feeds.filter(({ folder_id }) => folder_id === folder.id) as [Feed, Feed];
  library.setOpen(folder.id, false);
  await show({ kind: 'feed', id: feed.id });
  void unsubscribe([feed]);
  await settle();
  expect([other !== undefined, list.source]).toEqual([true, { kind: 'folder', id: folder.id }]);
});

it('goes to the tag beside it', async () => {
  const [first, second] = collections.tags as [Tag, Tag];
  await show({ kind: 'tag', id: first.id });
  await deleteTag(first);
  expect(list.source).toEqual({ kind: 'tag', id: second.id });
  await deleteTag(second);
  expect(list.source).toEqual({ kind: 'unread' });
  act('undo');
  await settle();
  expect(list.source).toEqual({ kind: 'tag', id: second.id });
});

it('leaves the list of a feed that something else removed', async () => {
  const rows = sidebar.tree.map(rowOf);
  const at = rows.findIndex(({ kind }) => kind === 'feed');
  const { id } = rows[at] as { id: number };
  await show({ kind: 'feed', id });
  await core().call('unsubscribe', { feed_ids: [id] });
  await settle();
  expect([library.feedById.has(id), list.source]).toEqual([false, rows[at + 1]]);
});

it('goes to the closed folder of a feed that something else removed', async () => {
  const folder = library.folders.find(({ open }) => open) as Folder;
  const [feed] = library.feeds.filter(({ folder_id }) => folder_id === folder.id) as [Feed];
  library.setOpen(folder.id, false);
  await show({ kind: 'feed', id: feed.id });
  await core().call('unsubscribe', { feed_ids: [feed.id] });
  await settle();
  expect(list.source).toEqual({ kind: 'folder', id: folder.id });
});

it('goes back when it is undone, also if the core reported the change before it responded', async () => {
  const folder = library.folders.find(({ open }) => open) as Folder;
  const inside = library.feeds.filter(({ folder_id }) => folder_id === folder.id) as [Feed];
  const here: Source = { kind: 'feed', id: inside[0].id };
  await show(here);
  const call = core().call.bind(core());
  vi.spyOn(core(), 'call').mockImplementation(async (name, args) => {
    const response: unknown = await call(name, args);
    if (name === 'unsubscribe') await sidebar.reload();
    return response;
  });
  void deleteFolder(folder, inside);
  await core().until(() => !library.folderById.has(folder.id));
  await settle();
  expect(list.source).not.toEqual(here);
  act('undo');
  await core().until(() => sameSource(list.source, here));
  await settle();
});

it('shows only the articles of the next row after a search behind which a folder was removed', async () => {
  const folder = library.folders.find(({ open }) => open) as Folder;
  const rows = sidebar.tree.map(rowOf);
  const at = rows.findIndex((row) => sameSource(row, { kind: 'folder', id: folder.id }));
  await show({ kind: 'folder', id: folder.id });
  expect(new Set(list.rows.map(({ feed_id }) => feed_id)).size).toBeGreaterThan(1);
  showSearch('wheat');
  await settle();
  // Its feeds move up one level.
  void deleteFolder(folder);
  await settle();
  expect(list.searching).toBe(true);
  list.endSearch();
  await settle();
  const next = rows[at + 1] as { kind: string; id: number };
  expect([next.kind, list.source]).toEqual(['feed', next]);
  expect(new Set(list.rows.map(({ feed_id }) => feed_id))).toEqual(new Set([next.id]));
});

it('leaves it behind a search, which stays', async () => {
  const [gone, next] = library.tree.flatMap((row) => (row.kind === 'feed' ? [row.feed] : [])) as [Feed, Feed];
  await show({ kind: 'feed', id: gone.id });
  showSearch('wheat');
  await settle();
  await core().call('unsubscribe', { feed_ids: [gone.id] });
  await settle();
  expect([list.searching, search.shownQuery]).toEqual([true, 'wheat']);
  list.endSearch();
  await settle();
  expect([list.searching, list.source]).toEqual([false, { kind: 'feed', id: next.id }]);
  expect(new Set(list.rows.map(({ feed_id }) => feed_id))).toEqual(new Set([next.id]));
});
