/** The sidebar's tree as flat rows in display order. */
import type { Feed, FeedUnread, Folder } from './ipc';

export type TreeRow = {
  readonly level: number;
  /** 1-based position among its siblings. */
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

/** Filter of the tree; folders that contain a displayed row are displayed, too. */
export type Shown = {
  readonly feed: (feed: Feed) => boolean;
  readonly folder: (folder: Folder) => boolean;
  /** Open all folders; folders that match themselves show all their content. */
  readonly open: boolean;
};

export function treeRows(
  folders: readonly Folder[],
  feeds: readonly Feed[],
  unread: ReadonlyMap<number, number>,
  only: Shown | null = null,
): TreeRow[] {
  const known = new Set(folders.map((folder) => folder.id));
  // If the folder is missing (a race between two windows), show its content at the top level.
  const home = (id: number | null) => (id !== null && known.has(id) ? id : null);
  const childFolders = grouped(folders, (folder) => home(folder.parent_id));
  const childFeeds = grouped(feeds, (feed) => home(feed.folder_id));
  const sums = new Map<number, number>();
  const shown = new Set<number>();
  const sum = (folder: Folder, depth: number): number => {
    let total = 0;
    if (only?.folder(folder)) shown.add(folder.id);
    for (const feed of childFeeds.get(folder.id) ?? []) {
      total += unread.get(feed.id) ?? 0;
      if (only?.feed(feed)) shown.add(folder.id);
    }
    if (depth < 64)
      for (const child of childFolders.get(folder.id) ?? []) {
        total += sum(child, depth + 1);
        if (shown.has(child.id)) shown.add(folder.id);
      }
    sums.set(folder.id, total);
    return total;
  };
  for (const folder of childFolders.get(null) ?? []) sum(folder, 0);

  const rows: TreeRow[] = [];
  const walk = (parent: number | null, level: number, all: boolean) => {
    const folders = (childFolders.get(parent) ?? []).filter((folder) => all || shown.has(folder.id));
    // Accounts come after the feeds of this computer.
    const inner = folders.filter((folder) => parent !== null || !folder.account);
    const accounts = folders.filter((folder) => parent === null && folder.account);
    const own = (childFeeds.get(parent) ?? []).filter((feed) => all || only?.feed(feed));
    const siblings = folders.length + own.length;
    const add = (one: Folder, position: number) => {
      const folder = only?.open && !one.open ? { ...one, open: true } : one;
      rows.push({ kind: 'folder', folder, level, position, siblings, unread: sums.get(folder.id) ?? 0, parent });
      if (folder.open && level < 64) walk(folder.id, level + 1, all || (only?.open === true && only.folder(one)));
    };
    inner.forEach((one, i) => add(one, i + 1));
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
    accounts.forEach((one, i) => add(one, inner.length + own.length + i + 1));
  };
  walk(null, 1, only === null);
  return rows;
}

export const unreadByFeed = (counts: readonly FeedUnread[]): Map<number, number> =>
  new Map(counts.map((c) => [c.feed_id, c.unread]));

/** Returns folders with their paths. */
export function folderPaths(folders: readonly Folder[]): { id: number; path: string }[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const path = (folder: Folder, depth = 0): string => {
    const parent = folder.parent_id === null ? undefined : byId.get(folder.parent_id);
    return parent && depth < 64 ? `${path(parent, depth + 1)} / ${folder.name}` : folder.name;
  };
  return folders.map((folder) => ({ id: folder.id, path: path(folder) }));
}

/** Returns a stable hue for a feed without an icon. */
export function tileHue(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % 360;
}

/** Returns the first letter or digit of the title. */
export function tileLetter(title: string): string {
  const found = title.match(/[\p{L}\p{N}]/u)?.[0] ?? title.trim().charAt(0);
  return (found || '·').toLocaleUpperCase();
}

/** Returns the feeds of a folder and its subfolders. */
export function feedsWithin(folder: number, folders: readonly Folder[], feeds: readonly Feed[]): Feed[] {
  const below = grouped(folders, ({ parent_id }) => parent_id);
  const within = new Set([folder]);
  // A set also visits what is added meanwhile, and a damaged tree may have a loop.
  for (const id of within) for (const child of below.get(id) ?? []) within.add(child.id);
  return feeds.filter(({ folder_id }) => folder_id !== null && within.has(folder_id));
}
