/** Opens the web pages of several articles in the browser. Loaded on demand. */
import { asIpcError, call, type ArticleRow } from '../ipc';
import { t } from '../messages';
import { toasts } from './toasts.svelte';

/** Maximum number of articles that are opened at once. */
const MAX_OPENED = 20;

export async function openPages(rows: readonly ArticleRow[], behind: boolean): Promise<void> {
  if (rows.length > MAX_OPENED) {
    toasts.show(t('selection.too_many_pages', { limit: MAX_OPENED }));
    return;
  }
  let opened = 0;
  for (const { id } of rows) {
    try {
      await call(behind ? 'open_in_background' : 'open_in_browser', { id });
      opened += 1;
    } catch (error) {
      // It has no link.
      if (asIpcError(error).code === 'not_found') continue;
      toasts.error(error);
      return;
    }
  }
  if (opened === 0) toasts.show(t('selection.no_links'));
}
