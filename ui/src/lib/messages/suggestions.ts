/** Messages for the suggestions about a feed. */
import type { Feed, FeedSuggestion } from '../ipc';
import { errorText } from './errors';
import { mediumDate, monthDate } from './format';
import { isFile } from '../web-address';
import { sentences, t } from './index';

type SuggestionText = { readonly what: string; readonly hint: string };

/** Returns the site of a feed, else the origin of its address; for a file, the address itself. */
export const siteOf = (feed: Pick<Feed, 'url' | 'home_url'>): string =>
  feed.home_url ?? (isFile(feed) ? feed.url : new URL(feed.url).origin);

export const siteHost = (feed: Pick<Feed, 'url' | 'home_url'>): string => new URL(siteOf(feed)).host;

/** Returns what happened and what the user can do. */
export function suggestionText(
  feed: Pick<Feed, 'url' | 'home_url' | 'error'>,
  suggestion: FeedSuggestion,
): SuggestionText {
  const error = feed.error ? errorText(feed.error.error).what : '';
  switch (suggestion.kind) {
    case 'follow':
      return {
        what: t('suggestion.follow', { to: suggestion.to }),
        hint: t('suggestion.follow.hint', { count: suggestion.responses_left }),
      };
    case 'merge':
      return {
        what: t('suggestion.merge', { title: suggestion.title }),
        hint: t('suggestion.merge.hint', { title: suggestion.title }),
      };
    case 'switch':
      return {
        what: suggestion.title ? t('suggestion.switch.for', { title: suggestion.title }) : t('suggestion.switch'),
        hint: t('suggestion.switch.hint', { to: suggestion.to }),
      };
    case 'parked':
      return { what: t('suggestion.parked'), hint: t('suggestion.parked.hint', { host: new URL(feed.url).host }) };
    case 'gone':
      return { what: t('suggestion.gone'), hint: t('suggestion.gone.hint') };
    case 'not_a_feed':
      return {
        what: error || t('suggestion.not_a_feed'),
        hint: t('suggestion.not_a_feed.hint', { host: siteHost(feed) }),
      };
    case 'certificate':
      return {
        what: error || t('suggestion.certificate'),
        hint: t('suggestion.certificate.hint', { host: new URL(feed.url).host }),
      };
    case 'private_network':
      return {
        what: t('suggestion.private_network', { host: new URL(feed.url).host }),
        hint: t('suggestion.private_network.hint'),
      };
    case 'long_failing':
      return {
        what: feed.error
          ? t('suggestion.attention.for', { date: mediumDate(feed.error.since) })
          : t('suggestion.attention'),
        hint: sentences([error, t('suggestion.attention.hint')]),
      };
    case 'inactive':
      return {
        what: t('suggestion.inactive', { date: monthDate(suggestion.since) }),
        hint: t('suggestion.inactive.hint'),
      };
    case 'moved':
      return { what: t('suggestion.moved', { from: suggestion.from }), hint: t('suggestion.moved.hint') };
  }
}

/** Suggestions that already explain the feed error. */
const EXPLAINING: ReadonlySet<FeedSuggestion['kind']> = new Set<FeedSuggestion['kind']>([
  'parked',
  'gone',
  'not_a_feed',
  'certificate',
  'private_network',
  'long_failing',
]);

export const explainsError = (suggestions: readonly FeedSuggestion[]): boolean =>
  suggestions.some(({ kind }) => EXPLAINING.has(kind));
