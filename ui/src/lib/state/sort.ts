/** Sorts feeds and folders by name, and opens or closes all folders. */
import { call } from '../ipc';
import { t } from '../messages';
import { compareNames } from '../messages/format';
import { undoable } from './feeds';
import { library } from './library.svelte';
import { toasts } from './toasts.svelte';
import { undo } from './undo.svelte';

/** Sorts what is directly in a folder, or at the top level for `null`. */
export const sortByName = undo.action(async (parent: number | null): Promise<void> => {
  const folders = library.folders
    .filter((folder) => folder.parent_id === parent)
    .toSorted((a, b) => compareNames(a.name, b.name));
  const feeds = library.feeds
    .filter((feed) => feed.folder_id === parent)
    .toSorted((a, b) => compareNames(a.title, b.title));
  if (feeds.length + folders.length < 2) return;
  try {
    const { undo } = await call('arrange', {
      feeds: feeds.map(({ id }) => id),
      folders: folders.map(({ id }) => id),
      parent_id: parent,
      before_feed: null,
      before_folder: null,
    });
    await library.load();
    undoable(t('tree.sorted'), undo, undefined, () => sortByName(parent));
  } catch (error) {
    toasts.error(error);
  }
});

export function openAllFolders(open: boolean): void {
  for (const folder of library.folders) if (folder.open !== open) library.setOpen(folder.id, open);
}
