/** What is done to feeds and folders; every destructive act can be undone. */
import { call, type Feed, type Folder } from '../ipc';
import { t } from '../messages';
import { list } from './list.svelte';
import { reading } from './article.svelte';
import { toasts } from './toasts.svelte';
import { undo, type UndoEntry } from './undo.svelte';

function undoable(text: string, step: number, restore: () => void = () => {}): void {
  const entry: UndoEntry = { step, restore };
  undo.push(entry);
  toasts.show(text, { action: { label: t('toast.undo'), run: () => void undo.take(entry) } });
}

export async function unsubscribe(feed: Feed): Promise<void> {
  try {
    const { undo: step } = await call('unsubscribe', { feed_id: feed.id });
    if (reading.article?.feed_id === feed.id) reading.close();
    const here = list.source;
    if (here.kind === 'feed' && here.id === feed.id) void list.show({ kind: 'unread' });
    undoable(t('toast.unsubscribed', { title: feed.title }), step, () => void list.show(here));
  } catch (error) {
    toasts.error(error);
  }
}

export async function deleteFolder(folder: Folder): Promise<void> {
  try {
    const { undo: step } = await call('delete_folder', { folder_id: folder.id });
    if (list.source.kind === 'folder' && list.source.id === folder.id) void list.show({ kind: 'unread' });
    undoable(t('toast.folder_deleted', { title: folder.name }), step);
  } catch (error) {
    toasts.error(error);
  }
}

export async function copyText(text: string, done: string = t('toast.copied')): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.show(done);
  } catch {
    // Some web views refuse; then the text is shown so that it can be copied by hand.
    toasts.show(t('toast.copy_failed', { address: text }), { trouble: true });
  }
}
