import { describe, expect, it } from 'vitest';
import { alone, dropOn, step, type Way } from './arrange';
import type { Arrange, Feed, Folder } from './ipc';
import { treeRows } from './tree';

const folder = (id: number, parent_id: number | null = null): Folder => ({ id, parent_id, name: `F${id}`, open: true });
const feed = (id: number, folder_id: number | null = null) => ({ id, folder_id, title: `feed ${id}` }) as Feed;

/** Folders 1 (containing folder 3 with feed 13, and feeds 11 and 12) and 2 (empty), and feeds 10 and 14. */
const tree = {
  folders: [folder(1), folder(2), folder(3, 1)],
  feeds: [feed(10), feed(11, 1), feed(12, 1), feed(13, 3), feed(14)],
};
const rows = treeRows(tree.folders, tree.feeds, new Map());
const row = (kind: 'feed' | 'folder', id: number) =>
  rows.find((row) => (row.kind === 'feed' ? row.feed.id : row.folder.id) === id && row.kind === kind)!;
const to = (parent_id: number | null, before_feed: number | null = null, before_folder: number | null = null) => ({
  parent_id,
  before_feed,
  before_folder,
});

describe('dropping', () => {
  const feeds = { feeds: [10], folders: [] };
  const folders = { feeds: [], folders: [2] };
  it('moves a feed between feeds', () => {
    expect(dropOn(tree, row('feed', 12), 0.2, feeds)?.to).toEqual(to(1, 12));
    expect(dropOn(tree, row('feed', 11), 0.8, feeds)?.to).toEqual(to(1, 12));
    expect(dropOn(tree, row('feed', 14), 0.8, feeds)?.to).toEqual(to(null));
  });
  it('moves into a folder and between folders', () => {
    expect(dropOn(tree, row('folder', 2), 0.1, feeds)?.to).toEqual(to(2));
    expect(dropOn(tree, row('folder', 1), 0.5, folders)?.to).toEqual(to(1));
    expect(dropOn(tree, row('folder', 1), 0.1, folders)).toEqual({
      to: to(null, 10, 1),
      mark: { key: 'folder-1', part: 'before' },
    });
    expect(dropOn(tree, row('folder', 3), 0.9, folders)?.to).toEqual(to(3));
    expect(dropOn(tree, row('folder', 2), 0.9, { feeds: [], folders: [1] })?.to).toEqual(to(null, 10));
    expect(dropOn(tree, row('feed', 12), 0.9, folders)?.mark).toEqual({ key: 'feed-11', part: 'before' });
  });
  it('does not move a folder into itself', () => {
    const own = { feeds: [], folders: [1] };
    for (const part of [row('folder', 1), row('folder', 3)]) expect(dropOn(tree, part, 0.5, own)).toBeNull();
    expect(dropOn(tree, row('feed', 13), 0.5, own)).toBeNull();
    expect(dropOn(tree, row('folder', 3), 0.1, own)).toBeNull();
  });
  it('moves a folder with its content', () => {
    expect(alone(tree, { feeds: [10, 13, 11], folders: [3, 1] })).toEqual({ feeds: [10], folders: [1] });
  });
});

describe('moving by key', () => {
  const feeds = (ids: number[], way: Way) => step(tree, { feeds: ids, folders: [] }, way);
  it('moves a feed row by row through all folders and back', () => {
    expect(feeds([14], 'up')).toEqual(to(null, 10));
    expect(feeds([10], 'up')).toEqual(to(2));
    expect(feeds([11], 'up')).toEqual(to(3));
    expect(feeds([13], 'up')).toBeNull();
    expect(feeds([13], 'down')).toEqual(to(1, 11));
    expect(feeds([11], 'down')).toEqual(to(1));
    expect(feeds([12], 'down')).toEqual(to(2));
    expect(feeds([14], 'down')).toBeNull();
  });
  it('moves several items together', () => {
    expect(feeds([11, 12], 'down')).toEqual(to(2));
    expect(feeds([10, 14], 'up')).toEqual(to(2));
  });
  it('moves a feed into a folder and out of it', () => {
    expect(feeds([10], 'in')).toEqual(to(2));
    expect(feeds([13], 'in')).toBeNull();
    expect(feeds([13], 'out')).toEqual(to(1, 11));
    expect(feeds([10], 'out')).toBeNull();
  });
  it('moves folders', () => {
    const folders = (id: number, way: Way): Omit<Arrange, 'feeds' | 'folders'> | null =>
      step(tree, { feeds: [], folders: [id] }, way);
    expect(folders(2, 'up')).toEqual(to(null, null, 1));
    expect(folders(1, 'up')).toBeNull();
    expect(folders(1, 'down')).toEqual(to(null));
    expect(folders(2, 'down')).toBeNull();
    expect(folders(2, 'in')).toEqual(to(1));
    expect(folders(3, 'out')).toEqual(to(null, null, 2));
    expect(folders(3, 'in')).toBeNull();
  });
});
