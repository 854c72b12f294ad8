import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import { openWindow } from '../../../tests/window';
import type { CommandName, Folder } from '../../lib/ipc';
import { act } from '../../lib/state/actions';
import { library } from '../../lib/state/library.svelte';
import { settings } from '../../lib/state/settings.svelte';
import { sidebar } from '../../lib/state/sidebar.svelte';
import { toasts } from '../../lib/state/toasts.svelte';
import { feedsWithin } from '../../lib/tree';
import type { MenuItem } from '../shared/menu-item';
import { nodeMenu } from './node-menu';
import { nodes, type Node } from './nodes';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../../lib/ipc', async (original) => ({
  ...(await original<typeof import('../../lib/ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
  on: (name: never, handler: never) => {
    const stop = test.core?.on(name, handler);
    return () => void stop?.then((end) => end());
  },
}));

const core = () => test.core as TestCore;

let close: () => Promise<void>;

beforeEach(async () => {
  test.core = await TestCore.open();
  close = await openWindow(core());
});

afterEach(async () => {
  sidebar.forget();
  await close();
});

type Item = Exclude<MenuItem, 'line'>;

/** Returns the items that delete what is selected. */
function deletes(keys: readonly string[]): Item[] {
  sidebar.selected = new Set(keys);
  const node = nodes().find(({ key }) => key === keys[0]) as Node;
  const items = nodeMenu(node, () => {});
  return items.slice(items.lastIndexOf('line') + 1) as Item[];
}

const state = () => [library.feeds.map(({ id }) => id), library.folders.map(({ id }) => id)];

it('deletes selected folders with all feeds that are selected or in them, in one step', async () => {
  const folder = library.folders.find(({ open }) => open) as Folder;
  const inside = feedsWithin(folder.id, library.folders, library.feeds);
  const outside = library.feeds.find(({ folder_id, local }) => folder_id === null && !local)!;
  const before = state();
  const items = deletes([`feed-${outside.id}`, `folder-${folder.id}`, `feed-${inside[0]?.id}`]);
  const what = `1 folder and ${inside.length + 1} feeds`;
  expect(items.map(({ label, action }) => [label, action])).toEqual([[`Delete ${what}`, 'delete']]);
  items[0]?.run?.();
  await core().settle();
  expect(toasts.shown.at(-1)?.text).toBe(`Deleted: ${what}`);
  const gone = new Set([outside, ...inside].map(({ id }) => id));
  expect(library.feeds.filter(({ id }) => gone.has(id))).toEqual([]);
  expect([library.folderById.has(folder.id), sidebar.selected.size]).toEqual([false, 0]);
  act('undo');
  await core().settle();
  expect(state()).toEqual(before);
});

it('keeps feeds that were not selected unless the menu says otherwise', async () => {
  const [one, other] = library.folders as [Folder, Folder];
  const before = library.feeds.map(({ id }) => id);
  const items = deletes([`folder-${one.id}`, `folder-${other.id}`]);
  expect(items.map(({ label, action }) => [label, action])).toEqual([
    ['Delete 2 folders', 'delete'],
    [expect.stringMatching(/^Delete 2 folders and \d+ feeds$/), undefined],
  ]);
  items[0]?.run?.();
  await core().settle();
  expect([library.folderById.has(one.id), library.folderById.has(other.id)]).toEqual([false, false]);
  expect(library.feeds.map(({ id }) => id).toSorted()).toEqual(before.toSorted());
});

it('offers nothing about feeds at the heading of the tags', async () => {
  const heading = () => nodes().find(({ key }) => key === 'tags') as Node;
  const items = () => nodeMenu(heading(), () => {}).filter((item) => item !== 'line');
  expect(items().map(({ label }) => label)).toEqual(['Collapse', 'Sidebar sections…']);
  items()[0]?.run?.();
  await core().settle();
  expect([settings.value.collapse_tags, items()[0]?.label]).toEqual([true, 'Expand']);
  items()[0]?.run?.();
  await core().settle();
  expect(settings.value.collapse_tags).toBe(false);
});
