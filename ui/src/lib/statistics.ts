/** What statistics tell: feeds that are not read, that post much, that have fallen silent, and what can be proposed. Pure. */
import type { Feed, FeedStatistics, Statistics } from './ipc';

const DAY = 86_400_000;
/** Fewer articles than these say nothing about whether a feed is read. */
const ENOUGH = 10;
/** It is not said before so many days were counted that nothing of a feed is read. */
const WATCHED = 14;
/** Articles a day, and the share of them that stays unread, from which on a feed is noisy. */
const NOISY = 5;
const UNREAD = 0.8;
/** Days without an article. */
const SILENT = 180;

export type Told = FeedStatistics & { readonly feed: Feed; readonly per_day: number };

export type Proposal = Told & { readonly kind: 'unread' | 'noisy' | 'silent' };

/** Each feed that is there with its numbers. */
export function told(statistics: Statistics, feedById: ReadonlyMap<number, Feed>, now: number): Told[] {
  const days = Math.max(1, (now - statistics.from) / DAY);
  return statistics.feeds.flatMap((numbers) => {
    const feed = feedById.get(numbers.feed_id);
    return feed ? [{ ...numbers, feed, per_day: numbers.articles / days }] : [];
  });
}

/** Nothing of it was opened, and either that was counted for long enough or nothing was marked read either. */
const isUnread = (feed: Told, watched: number): boolean =>
  feed.articles >= ENOUGH &&
  feed.opened === 0 &&
  feed.starred === 0 &&
  (watched >= WATCHED || feed.unread === feed.articles);

/** Feeds about which something could be done, each once; what costs most first. */
export function proposals(statistics: Statistics, feeds: readonly Told[], now: number): Proposal[] {
  const watched = statistics.since === null ? 0 : (now - Math.max(statistics.since, statistics.from)) / DAY;
  const found = feeds.flatMap((feed): Proposal[] => {
    if (feed.newest !== null && now - feed.newest > SILENT * DAY) return [{ ...feed, kind: 'silent' }];
    if (feed.per_day >= NOISY && feed.unread >= UNREAD * feed.articles) return [{ ...feed, kind: 'noisy' }];
    return isUnread(feed, watched) ? [{ ...feed, kind: 'unread' }] : [];
  });
  return found.toSorted((a, b) => b.articles - a.articles || (a.newest ?? 0) - (b.newest ?? 0));
}

/** Those of which most was opened. */
export const mostRead = (feeds: readonly Told[], most: number): Told[] =>
  feeds
    .filter((feed) => feed.opened > 0)
    .toSorted((a, b) => b.opened - a.opened || a.feed.title.localeCompare(b.feed.title))
    .slice(0, most);
