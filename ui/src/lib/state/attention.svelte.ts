/** Feeds that need the user's attention: those with errors, and those with a suggestion. */
import type { ErrorCode, Feed, FeedSuggestion } from '../ipc';
import { library } from './library.svelte';

/** What accounts report after a synchronisation that succeeded. */
const SYNCED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['server_changes_wait', 'server_feeds_missing']);

class Attention {
  readonly feeds = $derived(library.feeds.filter((feed) => feed.error?.needs_attention));
  /** Accounts on servers that could not be synchronised. */
  readonly accounts = $derived(
    library.folders.flatMap(({ account }) => (account?.error && !SYNCED.has(account.error.code) ? [account] : [])),
  );
  /** Feeds that failed, but not often or for long: they are tried again without the user. */
  readonly failing = $derived(library.feeds.filter((feed) => feed.error && !feed.error.needs_attention));
}

export const attention = new Attention();

/** Returns a suggestion that needs a decision and is not an error. */
export const proposalOf = (feed: Pick<Feed, 'suggestions'>): FeedSuggestion | undefined =>
  feed.suggestions.find(({ kind }) => kind === 'follow' || kind === 'merge');
