import { beforeEach, expect, it, vi } from 'vitest';
import type { Arrange, Feed, Folder } from '../ipc';
import en from '../messages/en.json';
import { setCatalogue } from '../messages/catalogue.svelte';
import { library } from './library.svelte';
import { openAllFolders, sortByName } from './sort';
import { toasts } from './toasts.svelte';

const core = vi.hoisted(() => ({ calls: [] as [string, unknown][] }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: string, args: unknown) => {
    core.calls.push([name, args]);
    return Promise.resolve({ undo: 7 });
  },
}));

setCatalogue(en, 'en');

const folder = (id: number, name: string, parent_id: number | null, open = true) =>
  ({ id, name, parent_id, open, account: null }) as unknown as Folder;
const feed = (id: number, title: string, folder_id: number | null) =>
  ({ id, title, folder_id, suggestions: [] }) as unknown as Feed;
const arranged = () => core.calls.filter(([name]) => name === 'arrange').map(([, args]) => args as Arrange);

beforeEach(() => {
  core.calls = [];
  toasts.shown = [];
  vi.spyOn(library, 'load').mockResolvedValue(undefined as never);
  library.folders = [folder(1, 'Rope', null), folder(2, 'boats', null, false), folder(3, 'Inner', 1, false)];
  library.feeds = [feed(1, 'Part 10', 1), feed(2, 'part 9', 1), feed(3, 'Ankles', null), feed(4, 'Älter', 1)];
});

it('sorts what is in a folder by name, in one step that can be undone', async () => {
  await sortByName(1);
  expect(arranged()).toEqual([
    { feeds: [4, 2, 1], folders: [3], parent_id: 1, before_feed: null, before_folder: null },
  ]);
  expect(toasts.shown).toHaveLength(1);
});

it('sorts the top level', async () => {
  await sortByName(null);
  expect(arranged()).toEqual([
    { feeds: [3], folders: [2, 1], parent_id: null, before_feed: null, before_folder: null },
  ]);
});

it('does not sort a single item', async () => {
  await sortByName(3);
  expect(arranged()).toEqual([]);
});

it('opens and closes all folders', () => {
  openAllFolders(true);
  expect(library.folders.every(({ open }) => open)).toBe(true);
  expect(core.calls.map(([name]) => name)).toEqual(['set_folder_open', 'set_folder_open']);
  openAllFolders(false);
  expect(library.folders.some(({ open }) => open)).toBe(false);
});
