/** Shows the list of a feed at an article. Loaded on demand. */
import type { ArticleRow, Source } from '../ipc';
import { reading } from './article.svelte';
import { list } from './list.svelte';

/** Shows the list of an article's feed. The article is selected if it is open; else the keys go on from it. */
export async function showFeedAt({
  id,
  feed_id,
  sort_at,
}: Pick<ArticleRow, 'id' | 'feed_id' | 'sort_at'>): Promise<void> {
  const source: Source = { kind: 'feed', id: feed_id };
  const cursor = { sort_at, id, feed_id, words: 0 };
  await list.show(source, { place: { cursor, offset: 0 }, selected: cursor }, true);
  if (list.selected === id && reading.id !== id) [list.selected, list.cursor] = [null, id];
}
