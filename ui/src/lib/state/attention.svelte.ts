/** Feeds whose errors the user should know of, and what to do about them. */
import type { Feed } from '../ipc';
import { t } from '../messages';
import { isFile } from '../web-address';
import { showFeedInfo, unsubscribe } from './feeds';
import { library } from './library.svelte';
import { refresh } from './refresh.svelte';
import { rediscoverFeed, type SuggestionAction } from './suggestions.svelte';

class Attention {
  readonly feeds = $derived(library.feeds.filter((feed) => feed.error?.needs_attention));
  /** Feeds that failed, but not often or for long: they are tried again without the user. */
  readonly failing = $derived(library.feeds.filter((feed) => feed.error && !feed.error.needs_attention));
}

export const attention = new Attention();

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
      // It is not about the feed.
      return [retry];
    case 'unauthorized':
      // The feed's information opens with the form of its login.
      return [{ label: t('add.login.do'), run: () => showFeedInfo(feed) }, retry, leave];
    default:
      // The address returns something else.
      return code?.startsWith('not_a_feed') ? [find, retry, edit, leave] : [retry, find, edit, leave];
  }
}
