/** Actions for a feed's suggestions. */
import { call, type Feed, type FeedSuggestion } from '../ipc';
import { t } from '../messages';
import { siteHost, suggestionText } from '../messages/suggestions';
import { allowPrivateNetwork, showFeedInfo, changeAddress, keepInactiveFeed, mergeFeeds, unsubscribe } from './feeds';
import { library } from './library.svelte';
import { refresh } from './refresh.svelte';
import { toasts } from './toasts.svelte';

export type SuggestionAction = { readonly label: string; readonly run: () => void };

/** Returns a suggestion that needs a decision and is not an error. */
export const proposalOf = (feed: Pick<Feed, 'suggestions'>): FeedSuggestion | undefined =>
  feed.suggestions.find(({ kind }) => kind === 'follow' || kind === 'merge');

function move(feed: Feed, url: string): void {
  changeAddress(feed, url).catch((error: unknown) => toasts.error(error));
}

/** Looks for a new feed address, and offers what it finds. It also appears as a suggestion in the feed's list. */
export async function rediscoverFeed(feed: Feed): Promise<void> {
  const looking = toasts.show(t('suggestion.finding_feed', { host: siteHost(feed) }), { stays: true });
  try {
    await call('rediscover_feed', { feed_id: feed.id });
    await library.load();
    toasts.dismiss(looking);
    const now = library.feedById.get(feed.id);
    const offer = now?.suggestions.find(({ kind }) => kind === 'switch' || kind === 'merge');
    if (!now || !offer) return;
    const { what, hint } = suggestionText(now, offer);
    toasts.show(what, { detail: hint, action: suggestionActions(now, offer)[0] });
  } catch (error) {
    toasts.dismiss(looking);
    toasts.error(error);
  }
}

/** The first action is the default. */
export function suggestionActions(feed: Feed, suggestion: FeedSuggestion): readonly SuggestionAction[] {
  const retry = { label: t('feed_error.retry'), run: () => void refresh.start({ kind: 'feed', id: feed.id }) };
  const leave = { label: t('menu.unsubscribe'), run: () => void unsubscribe([feed]) };
  const find = { label: t('attention.find_address'), run: () => void rediscoverFeed(feed) };
  const address = { label: t('attention.edit'), run: () => showFeedInfo(feed, 'address') };
  switch (suggestion.kind) {
    case 'follow':
      return [{ label: t('suggestion.follow.do'), run: () => move(feed, suggestion.to) }];
    case 'merge':
      return [{ label: t('suggestion.merge.do'), run: () => void mergeFeeds(feed, suggestion) }];
    case 'switch':
      return [{ label: t('suggestion.switch.do'), run: () => move(feed, suggestion.to) }];
    case 'parked':
      return [address, retry, leave];
    case 'gone':
      return [find, leave];
    case 'not_a_feed':
      return [find, retry];
    case 'certificate':
      return [{ label: t('certificate.view'), run: () => showFeedInfo(feed, 'certificate') }, retry];
    case 'private_network':
      return [
        retry,
        { label: t('suggestion.private_network.allow'), run: () => void allowPrivateNetwork(feed) },
        leave,
      ];
    case 'long_failing':
      return [retry, address, find, leave];
    case 'inactive':
      return [{ label: t('suggestion.keep'), run: () => void keepInactiveFeed(feed) }, leave];
    case 'moved':
      return [{ label: t('suggestion.moved.do'), run: () => move(feed, suggestion.from) }];
  }
}
