/** Renames a row of the tree. */
import { call } from '../../lib/ipc';
import { t } from '../../lib/messages';
import { renameSearch, renameTag } from '../../lib/state/collections.svelte';
import { library } from '../../lib/state/library.svelte';
import { renameFeed, undoable } from '../../lib/state/feeds';
import { undo } from '../../lib/state/undo.svelte';
import type { Node } from './nodes';

export const canRename = (node: Node): boolean => node.kind === 'row' || node.kind === 'search' || node.kind === 'tag';

/** Rejects with an `IpcError`: the name may be taken. */
export const rename = undo.action(async (node: Node, wanted: string): Promise<void> => {
  if (node.kind === 'search') return renameSearch(node.search, wanted);
  if (node.kind === 'tag') return renameTag(node.tag, wanted);
  if (node.kind !== 'row') return;
  const { row } = node;
  if (row.kind === 'feed') return renameFeed(row.feed, wanted);
  const { undo } = await call('rename_folder', { folder_id: row.folder.id, name: wanted });
  await library.load();
  undoable(t('tree.renamed', { title: wanted }), undo, undefined, () => rename(node, wanted));
});
