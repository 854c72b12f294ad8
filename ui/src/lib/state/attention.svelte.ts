/** Feeds that the user should know of: those with errors, and those with a suggestion. */
import type { Feed, FeedSuggestion } from '../ipc';
import { library } from './library.svelte';

class Attention {
  readonly feeds = $derived(library.feeds.filter((feed) => feed.error?.needs_attention));
  /** Feeds that failed, but not often or for long: they are tried again without the user. */
  readonly failing = $derived(library.feeds.filter((feed) => feed.error && !feed.error.needs_attention));
}

export const attention = new Attention();

/** Returns a suggestion that needs a decision and is not an error. */
export const proposalOf = (feed: Pick<Feed, 'suggestions'>): FeedSuggestion | undefined =>
  feed.suggestions.find(({ kind }) => kind === 'follow' || kind === 'merge');
