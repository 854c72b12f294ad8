/** Evaluates reading statistics: unread, noisy and inactive feeds, and suggestions for them. */
import type { Feed, FeedStatistics, Statistics } from './ipc';
import { compareNames } from './messages/format';

const DAY = 86_400_000;
/** Minimum number of articles to call a feed unread. */
const MIN_ARTICLES = 10;
/** Days after subscribing to a feed until something is suggested for it, and days counted before it is called unread. */
const MIN_DAYS = 14;
/** Articles per day, and the unread share, from which a feed is noisy. */
const NOISY = 5;
const UNREAD = 0.8;
/** Days without an article. */
const SILENT = 180;

type FeedNumbers = FeedStatistics & { readonly feed: Feed; readonly per_day: number };

export type Proposal = FeedNumbers & { readonly kind: 'unread' | 'noisy' | 'silent' };

/** Joins existing feeds with their statistics. */
export function feedNumbers(statistics: Statistics, feedById: ReadonlyMap<number, Feed>, now: number): FeedNumbers[] {
  const days = Math.max(1, (now - statistics.from) / DAY);
  return statistics.feeds.flatMap((numbers) => {
    const feed = feedById.get(numbers.feed_id);
    return feed ? [{ ...numbers, feed, per_day: numbers.articles / days }] : [];
  });
}

/** No article of the feed was opened, and either this was counted for long enough or none was marked as read. */
const isUnread = (feed: FeedNumbers, watched: number): boolean =>
  feed.articles >= MIN_ARTICLES &&
  feed.opened === 0 &&
  feed.starred === 0 &&
  (watched >= MIN_DAYS || feed.unread === feed.articles);

/** The user has had the feed long enough to decide about it. */
const isKnown = (feed: FeedNumbers, now: number): boolean => now - feed.subscribed >= MIN_DAYS * DAY;

/** Returns true if all feeds are too new for a suggestion. */
export const allNew = (feeds: readonly FeedNumbers[], now: number): boolean =>
  feeds.every((feed) => !isKnown(feed, now));

/** Returns suggestions, one per feed, most rewarding first. */
export function proposals(statistics: Statistics, feeds: readonly FeedNumbers[], now: number): Proposal[] {
  const watched = statistics.since === null ? 0 : (now - Math.max(statistics.since, statistics.from)) / DAY;
  const found = feeds.flatMap((feed): Proposal[] => {
    if (!isKnown(feed, now)) return [];
    if (feed.newest !== null && now - feed.newest > SILENT * DAY) return [{ ...feed, kind: 'silent' }];
    if (feed.per_day >= NOISY && feed.unread >= UNREAD * feed.articles) return [{ ...feed, kind: 'noisy' }];
    return isUnread(feed, watched) ? [{ ...feed, kind: 'unread' }] : [];
  });
  return found.toSorted((a, b) => b.articles - a.articles || (a.newest ?? 0) - (b.newest ?? 0));
}

/** Returns the feeds with the most opened articles. */
export const mostRead = (feeds: readonly FeedNumbers[], limit: number): FeedNumbers[] =>
  feeds
    .filter((feed) => feed.opened > 0)
    .toSorted((a, b) => b.opened - a.opened || compareNames(a.feed.title, b.feed.title))
    .slice(0, limit);
