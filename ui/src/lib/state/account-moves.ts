/** Moves feeds into accounts on servers, and back to this computer. */
import { call } from '../ipc';
import { t } from '../messages';
import { undoable } from './feeds';
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

/** Rejects with an `IpcError`: the API of the account may not be able to subscribe. */
export async function moveToAccount(feeds: readonly number[], account: number | null): Promise<void> {
  const count = feeds.filter((feed) => accountOf(feed) !== account).length;
  const { undo } = await call('move_to_account', { feeds: [...feeds], account_id: account });
  await library.load();
  const folder = library.folders.find((folder) => folder.account?.id === account);
  const text = folder
    ? t('move_account.done', { count, account: folder.name })
    : t('move_account.done.local', { count });
  undoable(text, undo, undefined, () => moveToAccount(feeds, account));
}
