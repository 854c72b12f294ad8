/** The accounts on servers to which feeds and folders belong. */
import { library } from './library.svelte';

/** Whether there are accounts, so that feeds can be moved. */
export const hasAccounts = (): boolean => library.folders.some(({ account }) => account !== undefined);

/** Returns the account of a folder; `null`: this computer. */
export function accountOfFolder(id: number | null): number | null {
  let folder = library.folderById.get(id ?? -1);
  while (folder && !folder.account) folder = library.folderById.get(folder.parent_id ?? -1);
  return folder?.account?.id ?? null;
}

/** Returns the account of a feed; `null`: this computer. */
export const accountOf = (feed: number): number | null => library.feedById.get(feed)?.account_id ?? null;
