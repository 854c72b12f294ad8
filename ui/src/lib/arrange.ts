/**
 * Calculates where moved feeds and folders go, by drag and drop or by key. In each folder, subfolders come before
 * feeds.
 */
import type { Arrange, Feed, Folder } from './ipc';
import type { TreeRow } from './tree';

/** Items being moved, in display order. */
export type Moved = { readonly feeds: readonly number[]; readonly folders: readonly number[] };

/** The part of a row under the pointer. */
export type Part = 'before' | 'into' | 'after';

/** The target of a move and the row that marks it. */
export type Drop = {
  readonly to: Omit<Arrange, 'feeds' | 'folders'>;
  readonly mark: { readonly key: string; readonly part: Part } | null;
};

export const keyOf = (row: TreeRow): string =>
  row.kind === 'folder' ? `folder-${row.folder.id}` : `feed-${row.feed.id}`;

type Tree = { readonly folders: readonly Folder[]; readonly feeds: readonly Feed[] };

const foldersIn = (tree: Tree, parent: number | null) => tree.folders.filter((folder) => folder.parent_id === parent);
const feedsIn = (tree: Tree, parent: number | null) => tree.feeds.filter((feed) => feed.folder_id === parent);

/** Returns whether a folder is one of these or inside one. */
function within(tree: Tree, folder: number | null, these: readonly number[]): boolean {
  for (let at = folder, depth = 0; at !== null && depth < 64; depth++) {
    if (these.includes(at)) return true;
    at = tree.folders.find(({ id }) => id === at)?.parent_id ?? null;
  }
  return false;
}

/** Removes items that are inside a folder which is also moved. */
export function alone(tree: Tree, moved: Moved): Moved {
  const { folders, feeds } = moved;
  const parent = (id: number) => tree.folders.find((folder) => folder.id === id)?.parent_id ?? null;
  const home = (id: number) => tree.feeds.find((feed) => feed.id === id)?.folder_id ?? null;
  return {
    folders: folders.filter((id) => !within(tree, parent(id), folders)),
    feeds: feeds.filter((id) => !within(tree, home(id), folders)),
  };
}

/**
 * Returns the target for a position over a row (`at` is the share of its height above the pointer); `null` if nothing
 * can go there.
 */
export function dropOn(tree: Tree, row: TreeRow, at: number, moved: Moved): Drop | null {
  const key = keyOf(row);
  const { parent } = row;
  if (row.kind === 'folder') {
    const { id } = row.folder;
    // Below the row of an open folder is its first position, not the one after it.
    const inside = row.folder.open && (foldersIn(tree, id).length > 0 || feedsIn(tree, id).length > 0);
    const into = moved.folders.length === 0 || (at > 0.3 && (at < 0.7 || inside));
    if (into) {
      if (within(tree, id, moved.folders)) return null;
      return { to: { parent_id: id, before_feed: null, before_folder: null }, mark: { key, part: 'into' } };
    }
    if (within(tree, parent, moved.folders)) return null;
    const siblings = foldersIn(tree, parent);
    const next = siblings[siblings.findIndex((folder) => folder.id === id) + 1];
    const part: Part = at < 0.5 ? 'before' : 'after';
    const before_folder = part === 'before' ? id : (next?.id ?? null);
    const before_feed = feedsIn(tree, parent).find((feed) => !moved.feeds.includes(feed.id))?.id ?? null;
    return { to: { parent_id: parent, before_feed, before_folder }, mark: { key, part } };
  }
  if (within(tree, parent, moved.folders)) return null;
  const siblings = feedsIn(tree, parent);
  const part: Part = at < 0.5 ? 'before' : 'after';
  const next = siblings[siblings.findIndex((feed) => feed.id === row.feed.id) + 1];
  const before_feed = part === 'before' ? row.feed.id : (next?.id ?? null);
  const first = siblings[0];
  // Folders stay above feeds, wherever they are dropped.
  const mark = moved.feeds.length > 0 || !first ? { key, part } : { key: `feed-${first.id}`, part: 'before' as const };
  return { to: { parent_id: parent, before_feed, before_folder: null }, mark };
}

/** Below the last row: the end of the top level. */
export const dropAtEnd: Drop = { to: { parent_id: null, before_feed: null, before_folder: null }, mark: null };

/**
 * Returns the folders in the order of their last feeds, subfolders before their parent; the last one is the top
 * level.
 */
function places(tree: Tree): (number | null)[] {
  const all: (number | null)[] = [];
  const walk = (parent: number | null, depth: number) => {
    if (depth < 64) for (const folder of foldersIn(tree, parent)) walk(folder.id, depth + 1);
    all.push(parent);
  };
  walk(null, 0);
  return all;
}

export type Way = 'up' | 'down' | 'out' | 'in';

/** Returns the target for a key; `null` if the items cannot move further. The first item determines the position. */
export function step(tree: Tree, moved: Moved, way: Way): Drop['to'] | null {
  const folder = tree.folders.find(({ id }) => id === moved.folders[0]);
  if (folder) return folderStep(tree, folder, moved, way);
  const feed = tree.feeds.find(({ id }) => id === moved.feeds[0]);
  return feed ? feedStep(tree, feed, moved, way) : null;
}

function folderStep(tree: Tree, { id, parent_id }: Folder, moved: Moved, way: Way): Drop['to'] | null {
  const siblings = foldersIn(tree, parent_id);
  const at = siblings.findIndex((folder) => folder.id === id);
  const others = (part: readonly Folder[]) => part.filter((folder) => !moved.folders.includes(folder.id));
  const [above, below] = [others(siblings.slice(0, at)), others(siblings.slice(at))];
  const to = (parent: number | null, before: number | undefined) => ({
    parent_id: parent,
    before_folder: before ?? null,
    before_feed: null,
  });
  switch (way) {
    case 'up':
      return above.length > 0 ? to(parent_id, above.at(-1)?.id) : null;
    case 'down':
      return below.length > 0 ? to(parent_id, below[1]?.id) : null;
    case 'in':
      return above.length > 0 ? to(above.at(-1)?.id ?? null, undefined) : null;
    case 'out': {
      const home = tree.folders.find((folder) => folder.id === parent_id);
      if (!home) return null;
      const around = foldersIn(tree, home.parent_id);
      return to(home.parent_id, around[around.indexOf(home) + 1]?.id);
    }
  }
}

function feedStep(tree: Tree, { id, folder_id }: Feed, moved: Moved, way: Way): Drop['to'] | null {
  const siblings = feedsIn(tree, folder_id);
  const at = siblings.findIndex((feed) => feed.id === id);
  const others = (part: readonly Feed[]) => part.filter((feed) => !moved.feeds.includes(feed.id));
  const [above, below] = [others(siblings.slice(0, at)), others(siblings.slice(at))];
  const to = (parent: number | null, before: number | undefined) => ({
    parent_id: parent,
    before_feed: before ?? null,
    before_folder: null,
  });
  const all = places(tree);
  const place = all.indexOf(folder_id);
  switch (way) {
    case 'up': {
      if (above.length > 0) return to(folder_id, above.at(-1)?.id);
      const before = all[place - 1];
      return before === undefined ? null : to(before, undefined);
    }
    case 'down': {
      if (below.length > 0) return to(folder_id, below[1]?.id);
      const after = all[place + 1];
      return after === undefined ? null : to(after, feedsIn(tree, after)[0]?.id);
    }
    case 'in': {
      const inner = foldersIn(tree, folder_id).at(-1);
      return inner ? to(inner.id, undefined) : null;
    }
    case 'out': {
      const home = tree.folders.find((folder) => folder.id === folder_id);
      return home ? to(home.parent_id, feedsIn(tree, home.parent_id)[0]?.id) : null;
    }
  }
}
