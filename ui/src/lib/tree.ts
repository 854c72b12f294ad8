/** The sidebar's tree as flat rows, in the order in which they are seen. */
import type { Feed, FeedUnread, Folder } from './ipc';

export type TreeRow = {
  readonly level: number;
  /** Counted from 1 among its siblings. */
  readonly position: number;
  readonly siblings: number;
  readonly unread: number;
  readonly parent: number | null;
} & ({ readonly kind: 'folder'; readonly folder: Folder } | { readonly kind: 'feed'; readonly feed: Feed });

function grouped<T>(items: readonly T[], key: (item: T) => number | null): Map<number | null, T[]> {
  const groups = new Map<number | null, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

export function treeRows(
  folders: readonly Folder[],
  feeds: readonly Feed[],
  unread: ReadonlyMap<number, number>,
): TreeRow[] {
  const known = new Set(folders.map((folder) => folder.id));
  // A folder that is not there (a race between two windows) must not hide what is in it.
  const home = (id: number | null) => (id !== null && known.has(id) ? id : null);
  const childFolders = grouped(folders, (folder) => home(folder.parent_id));
  const childFeeds = grouped(feeds, (feed) => home(feed.folder_id));
  const sums = new Map<number, number>();
  const sum = (folder: Folder, depth: number): number => {
    let total = 0;
    for (const feed of childFeeds.get(folder.id) ?? []) total += unread.get(feed.id) ?? 0;
    if (depth < 64) for (const child of childFolders.get(folder.id) ?? []) total += sum(child, depth + 1);
    sums.set(folder.id, total);
    return total;
  };
  for (const folder of childFolders.get(null) ?? []) sum(folder, 0);

  const rows: TreeRow[] = [];
  const walk = (parent: number | null, level: number) => {
    const inner = childFolders.get(parent) ?? [];
    const own = childFeeds.get(parent) ?? [];
    const siblings = inner.length + own.length;
    inner.forEach((folder, i) => {
      rows.push({ kind: 'folder', folder, level, position: i + 1, siblings, unread: sums.get(folder.id) ?? 0, parent });
      if (folder.open && level < 64) walk(folder.id, level + 1);
    });
    own.forEach((feed, i) => {
      rows.push({
        kind: 'feed',
        feed,
        level,
        position: inner.length + i + 1,
        siblings,
        unread: unread.get(feed.id) ?? 0,
        parent,
      });
    });
  };
  walk(null, 1);
  return rows;
}

export const unreadByFeed = (counts: readonly FeedUnread[]): Map<number, number> =>
  new Map(counts.map((c) => [c.feed_id, c.unread]));

/** Folders with their path, for choosing one. */
export function folderPaths(folders: readonly Folder[]): { id: number; path: string }[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const path = (folder: Folder, depth = 0): string => {
    const parent = folder.parent_id === null ? undefined : byId.get(folder.parent_id);
    return parent && depth < 64 ? `${path(parent, depth + 1)} / ${folder.name}` : folder.name;
  };
  return folders.map((folder) => ({ id: folder.id, path: path(folder) }));
}

/** A stable hue for a feed without an icon. */
export function tileHue(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % 360;
}

/** Its letter: the first letter or digit of the title. */
export function tileLetter(title: string): string {
  const found = title.match(/[\p{L}\p{N}]/u)?.[0] ?? title.trim().charAt(0);
  return (found || '·').toLocaleUpperCase();
}
