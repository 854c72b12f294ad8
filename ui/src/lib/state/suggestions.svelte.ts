/** Actions for a feed's suggestions and errors. */
import { call, type Feed, type FeedSuggestion } from '../ipc';
import { t } from '../messages';
import { siteHost, suggestionText } from '../messages/suggestions';
import { allowPrivateNetwork, changeAddress, keepInactiveFeed, mergeFeeds } from './feed-changes';
import { showFeedInfo, unsubscribe } from './feeds';
import { isFile } from '../web-address';
import { library } from './library.svelte';
import { refresh } from './refresh.svelte';
import { toasts } from './toasts.svelte';

export type SuggestionAction = { readonly label: string; readonly run: () => void };

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

/** Returns what to do about the error of a feed. The first action is the default; the others are in the same order for each error. */
export function errorActions(feed: Feed): readonly SuggestionAction[] {
  const retry = { label: t('feed_error.retry'), run: () => void refresh.start({ kind: 'feed', id: feed.id }) };
  const edit = { label: t('attention.edit'), run: () => showFeedInfo(feed, 'address') };
  const find = { label: t('attention.find_address'), run: () => void rediscoverFeed(feed) };
  const leave = { label: t('menu.unsubscribe'), run: () => void unsubscribe([feed]) };
  const code = feed.error?.error.code;
  if (isFile(feed)) return [retry, edit, leave];
  switch (code) {
    case 'http_not_found':
    case 'gone':
    case 'parked':
    case 'no_feed':
      return [find, retry, edit, leave];
    case 'host_not_found':
    case 'invalid_address':
    case 'unsupported_scheme':
    case 'redirect_loop':
    case 'too_many_redirects':
      return [edit, find, retry, leave];
    case 'offline':
    case 'network_login':
      // The error is not about the feed.
      return [retry];
    case 'unauthorized':
    case 'login_refused':
      // The feed's information opens with the form of its login.
      return [{ label: t('add.login.do'), run: () => showFeedInfo(feed) }, retry, leave];
    default:
      // The address returns something else.
      return code?.startsWith('not_a_feed') ? [find, retry, edit, leave] : [retry, find, edit, leave];
  }
}
