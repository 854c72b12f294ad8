/** The user's choice at the end of an excerpt. */
import type { Article } from '../ipc';
import { reading } from './article.svelte';
import { setFullTextWhen } from './offline.svelte';

/** Loads the full text once, or decides for all articles of the feed. */
export async function chooseFullText(article: Article, choice: 'once' | 'always' | 'never'): Promise<void> {
  if (choice !== 'once') {
    if (!(await setFullTextWhen(article.feed_id, article.feed_title, choice))) return;
    reading.dismissFullTextOffer(article.id);
  }
  if (choice !== 'never' && reading.id === article.id) await reading.fetchText();
}
