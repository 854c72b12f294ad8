/** Shows the list of a feed at an article. Loaded on demand. */
import { call, type ArticleRow, type Source } from '../ipc';
import { reading } from './article.svelte';
import { list } from './list.svelte';
import { toasts } from './toasts.svelte';
import { hasOwnOrder } from './views.svelte';

/** Shows the list of an article's feed. The article is selected if it is open; else the keys go on from it. */
export async function showFeedAt(article: Pick<ArticleRow, 'id' | 'feed_id' | 'sort_at'>): Promise<void> {
  const { id, feed_id } = article;
  let { sort_at } = article;
  try {
    // The rows of this list are sorted by another time than those of the feed's list.
    if (hasOwnOrder(list.source)) ({ sort_at } = await call('show_text', { id, full: false }));
  } catch (error) {
    toasts.error(error);
    return;
  }
  const source: Source = { kind: 'feed', id: feed_id };
  const cursor = { sort_at, id, feed_id, length: 0 };
  await list.show(source, { place: { cursor, offset: 0 }, selected: cursor }, true);
  if (list.selected === id && reading.id !== id) [list.selected, list.cursor] = [null, id];
}
