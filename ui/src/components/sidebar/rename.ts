/** Renames a row of the tree. */
import { call } from '../../lib/ipc';
import { t } from '../../lib/messages';
import { renameSearch, renameTag } from '../../lib/state/collections.svelte';
import { library } from '../../lib/state/library.svelte';
import { undoable } from '../../lib/state/feeds';
import type { Node } from './nodes';

export const canRename = (node: Node): boolean => node.kind === 'row' || node.kind === 'search' || node.kind === 'tag';

/** Rejects with an `IpcError`: the name may be taken. */
export async function rename(node: Node, wanted: string): Promise<void> {
  if (node.kind === 'search') return renameSearch(node.search, wanted);
  if (node.kind === 'tag') return renameTag(node.tag, wanted);
  if (node.kind !== 'row') return;
  const { row } = node;
  const { undo } =
    row.kind === 'folder'
      ? await call('rename_folder', { folder_id: row.folder.id, name: wanted })
      : await call('rename_feed', { feed_id: row.feed.id, title: wanted });
  await library.load();
  const title = row.kind === 'feed' ? library.feedById.get(row.feed.id)?.title : wanted;
  undoable(t('tree.renamed', { title: title ?? wanted }), undo, undefined, () => rename(node, wanted));
}
