/** Moves feeds and folders in the tree. The core keeps the order; a move that it refuses changes nothing. */
import { alone, keyOf, step, type Drop, type Moved, type Way } from '../arrange';
import { call } from '../ipc';
import { t } from '../messages';
import { undoable } from './feeds';
import { library } from './library.svelte';
import { screenReader } from './screen-reader.svelte';
import { toasts } from './toasts.svelte';
import { undo } from './undo.svelte';

/** Returns the title of one item, or a count for several. */
export function titleOf({ feeds, folders }: Moved): string {
  const count = feeds.length + folders.length;
  const [feed] = feeds;
  const [folder] = folders;
  if (count !== 1) {
    if (folders.length === 0) return t('tree.several.feeds', { count });
    return feeds.length === 0 ? t('tree.several.folders', { count }) : t('tree.several', { count });
  }
  return (feed === undefined ? library.folderById.get(folder!)?.name : library.feedById.get(feed)?.title) ?? '';
}

/** Describes a move: the text to show and, with the new position, the text to announce. */
function describe(moved: Moved, parent: number | null): readonly [shown: string, spoken: string] {
  const count = moved.feeds.length + moved.folders.length;
  const folder = parent === null ? undefined : library.folderById.get(parent)?.name;
  if (count > 1) {
    const text = folder === undefined ? t('tree.moved.many.top', { count }) : t('tree.moved.many', { count, folder });
    return [text, text];
  }
  const key = moved.feeds.length > 0 ? `feed-${moved.feeds[0]}` : `folder-${moved.folders[0]}`;
  const row = library.tree.find((row) => keyOf(row) === key);
  const title = titleOf(moved);
  const words = { title, place: row?.position ?? 1, places: row?.siblings ?? 1 };
  return folder === undefined
    ? [t('tree.moved.top.short', { title }), t('tree.moved.top', words)]
    : [t('tree.moved.short', { title, folder }), t('tree.moved', { ...words, folder })];
}

/** Rejects with an `IpcError`. */
async function put(moved: Moved, to: Drop['to']): Promise<number> {
  const { undo: number } = await call('arrange', { feeds: [...moved.feeds], folders: [...moved.folders], ...to });
  await library.load();
  return number;
}

/** Moves items to a target that was dropped on or chosen. Rejects with an `IpcError`. */
export const putInto = undo.action(async (moved: Moved, to: Drop['to']): Promise<void> => {
  const whole = alone(library, moved);
  const number = await put(whole, to);
  const [shown, spoken] = describe(whole, to.parent_id);
  undoable(shown, number, undefined, () => putInto(moved, to), spoken);
});

export async function drop(moved: Moved, to: Drop['to']): Promise<void> {
  try {
    await putInto(moved, to);
  } catch (error) {
    toasts.error(error);
  }
}

let moving = false;

/** Moves items by one position, or out of or into a folder. Returns whether they moved. */
export const moveBy = undo.action(async (meant: Moved, way: Way): Promise<boolean> => {
  // A held-down key waits until the previous move has finished.
  if (moving) return false;
  const moved = alone(library, meant);
  const to = step(library, moved, way);
  if (!to) {
    screenReader.say(t('tree.cannot_move', { title: titleOf(moved) }));
    return false;
  }
  moving = true;
  try {
    const number = await put(moved, to);
    // Keep the moved item visible.
    const folder = to.parent_id === null ? undefined : library.folderById.get(to.parent_id);
    if (folder && !folder.open) library.setOpen(folder.id, true);
    const [did, spoken] = describe(moved, to.parent_id);
    screenReader.say(spoken);
    undo.push({ step: number, restore: () => {}, did, again: () => moveBy(meant, way) });
    return true;
  } catch (error) {
    toasts.error(error);
    return false;
  } finally {
    moving = false;
  }
});
