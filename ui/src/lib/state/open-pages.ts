/** Opens the web pages of articles in the browser, and marks those as read. Loaded on demand. */
import { asIpcError, call, type ArticleRow } from '../ipc';
import { t } from '../messages';
import { mark } from './marks';
import { toasts } from './toasts.svelte';
import { undo } from './undo.svelte';

/** Maximum number of articles that are opened at once. */
const MAX_OPENED = 20;

type Row = Pick<ArticleRow, 'id' | 'feed_id' | 'read' | 'starred' | 'title'>;

export async function openPages(rows: readonly Row[], behind: boolean): Promise<void> {
  if (rows.length > MAX_OPENED) {
    toasts.show(t('selection.too_many_pages', { limit: MAX_OPENED }));
    return;
  }
  const opened: Row[] = [];
  let failed: unknown = null;
  for (const row of rows) {
    try {
      await call(behind ? 'open_in_background' : 'open_in_browser', { id: row.id });
      opened.push(row);
    } catch (error) {
      // It has no link.
      if (asIpcError(error).code === 'not_found') continue;
      failed = error;
      break;
    }
  }
  if (opened.length > 0) await mark(opened, { read: true }, undo.offered);
  if (failed) toasts.error(failed);
  else if (opened.length === 0) toasts.show(t(rows.length === 1 ? 'toast.no_address' : 'selection.no_links'));
}
