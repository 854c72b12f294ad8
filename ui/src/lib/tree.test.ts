import { describe, expect, it } from 'vitest';
import type { Feed, Folder } from './ipc';
import { feedsWithin, folderPaths, tileHue, tileLetter, treeRows } from './tree';

const folder = (id: number, parent_id: number | null, open = true): Folder => ({
  id,
  parent_id,
  name: `Folder ${id}`,
  open,
});
const feed = (id: number, folder_id: number | null): Feed => ({
  id,
  folder_id,
  title: `Feed ${id}`,
  url: `https://example.com/${id}`,
  home_url: null,
  icon: null,
  load_images: null,
  local: false,
  error: null,
  suggestions: [],
  checked: null,
});
const names = (rows: ReturnType<typeof treeRows>) =>
  rows.map((row) => `${row.level}:${row.kind === 'folder' ? row.folder.name : row.feed.title}:${row.unread}`);

describe('tree of folders and feeds', () => {
  it('nests rows, adds up counts and numbers siblings', () => {
    const rows = treeRows(
      [folder(1, null), folder(2, 1)],
      [feed(10, 2), feed(11, 1), feed(12, null)],
      new Map([
        [10, 3],
        [11, 2],
      ]),
    );
    expect(names(rows)).toEqual(['1:Folder 1:5', '2:Folder 2:3', '3:Feed 10:3', '2:Feed 11:2', '1:Feed 12:0']);
    expect(rows.map((row) => `${row.position}/${row.siblings}`)).toEqual(['1/2', '1/2', '1/1', '2/2', '2/2']);
  });

  it('finds the feeds of a folder and its subfolders, even in a damaged tree', () => {
    const feeds = [feed(10, 2), feed(11, 1), feed(12, null), feed(13, 3)];
    const within = (id: number, folders: Folder[]) => feedsWithin(id, folders, feeds).map((one) => one.id);
    expect(within(1, [folder(1, null), folder(2, 1), folder(3, null)])).toEqual([10, 11]);
    expect(within(1, [folder(1, 2), folder(2, 1)])).toEqual([10, 11]);
  });

  it('hides the content of a closed folder but counts it', () => {
    expect(names(treeRows([folder(1, null, false)], [feed(10, 1)], new Map([[10, 4]])))).toEqual(['1:Folder 1:4']);
  });

  it('filters rows, keeping their folders and renumbering siblings', () => {
    const folders = [folder(1, null, false), folder(2, 1, false), folder(3, null)];
    const feeds = [feed(10, 2), feed(11, 1), feed(12, null), feed(13, 3)];
    const only = (ids: readonly number[], open: boolean) =>
      treeRows(folders, feeds, new Map(), {
        feed: (feed) => ids.includes(feed.id),
        folder: (folder) => ids.includes(folder.id),
        open,
      });
    expect(names(only([10, 12], true))).toEqual(['1:Folder 1:0', '2:Folder 2:0', '3:Feed 10:0', '1:Feed 12:0']);
    expect(only([10, 12], true).map((row) => `${row.position}/${row.siblings}`)).toEqual(['1/2', '1/1', '1/1', '2/2']);
    // A folder whose name matches is shown with its content; other folders stay as they are.
    expect(names(only([3], true))).toEqual(['1:Folder 3:0', '2:Feed 13:0']);
    expect(names(only([10], false))).toEqual(['1:Folder 1:0']);
    expect(names(only([3], false))).toEqual(['1:Folder 3:0']);
  });

  it('shows a feed whose folder is missing', () => {
    expect(names(treeRows([], [feed(10, 99)], new Map()))).toEqual(['1:Feed 10:0']);
  });

  it('returns folder paths', () => {
    expect(folderPaths([folder(1, null), folder(2, 1)]).map((one) => one.path)).toEqual([
      'Folder 1',
      'Folder 1 / Folder 2',
    ]);
  });
});

describe('accounts', () => {
  it('come after the folders and feeds of this computer, in one numbering', () => {
    const account = { ...folder(1, null), account: { id: 2, needs_password: false, error: null } };
    const rows = treeRows([account, folder(2, null)], [feed(10, 1), feed(11, 2), feed(12, null)], new Map([[10, 4]]));
    expect(names(rows)).toEqual(['1:Folder 2:0', '2:Feed 11:0', '1:Feed 12:0', '1:Folder 1:4', '2:Feed 10:4']);
    expect(rows.filter((row) => row.level === 1).map((row) => `${row.position}/${row.siblings}`)).toEqual([
      '1/3',
      '2/3',
      '3/3',
    ]);
  });
});

describe('letter of a feed without an icon', () => {
  it('is the first letter or digit', () => {
    expect(['“Quoted”', '99 %', 'été', '静かな机', '…', ''].map(tileLetter)).toEqual(['Q', '9', 'É', '静', '…', '·']);
  });

  it('has a stable colour', () => {
    expect(tileHue('https://example.com')).toBe(tileHue('https://example.com'));
  });
});
