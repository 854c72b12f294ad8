import { describe, expect, it } from 'vitest';
import type { Feed, Statistics } from './ipc';
import { allNew, mostRead, proposals, feedNumbers } from './statistics';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 22);
const feeds = new Map([1, 2, 3, 4].map((id) => [id, { id, title: `Feed ${id}` } as Feed]));
const numbers = (feed_id: number, more: Partial<Statistics['feeds'][number]> = {}) => ({
  feed_id,
  subscribed: NOW - 90 * DAY,
  articles: 30,
  unread: 10,
  opened: 5,
  starred: 0,
  newest: NOW - DAY,
  ...more,
});
const statistics = (since: number | null, all: Statistics['feeds']): Statistics => ({
  from: NOW - 30 * DAY,
  since,
  hours: [],
  feeds: all,
});
const kinds = (all: Statistics) =>
  proposals(all, feedNumbers(all, feeds, NOW), NOW).map(({ feed_id, kind }) => [feed_id, kind]);

describe('statistics', () => {
  it('suggest nothing for feeds that are read', () => {
    expect(kinds(statistics(NOW - 90 * DAY, [numbers(1), numbers(2, { opened: 0, starred: 1 })]))).toEqual([]);
    expect(kinds(statistics(NOW - 90 * DAY, [numbers(1, { opened: 0, articles: 9 }), numbers(77)]))).toEqual([]);
  });

  it('report unread feeds after enough days', () => {
    const read = numbers(1, { opened: 0 });
    expect(kinds(statistics(NOW - 90 * DAY, [read]))).toEqual([[1, 'unread']]);
    expect(kinds(statistics(NOW - 3 * DAY, [read]))).toEqual([]);
    expect(kinds(statistics(null, [read]))).toEqual([]);
    expect(kinds(statistics(null, [{ ...read, unread: 30 }]))).toEqual([[1, 'unread']]);
  });

  it('report noisy and inactive feeds once, most rewarding first', () => {
    const noisy = numbers(2, { articles: 300, unread: 290, opened: 2 });
    const silent = numbers(3, { articles: 0, unread: 0, opened: 0, newest: NOW - 200 * DAY });
    const empty = numbers(4, { articles: 0, unread: 0, opened: 0, newest: null });
    expect(kinds(statistics(NOW - 90 * DAY, [silent, empty, noisy]))).toEqual([
      [2, 'noisy'],
      [3, 'silent'],
    ]);
  });

  it('suggest nothing for feeds of less than two weeks', () => {
    const fresh = { opened: 0, unread: 30, subscribed: NOW - 13 * DAY };
    const all = [numbers(1, fresh), numbers(2, { ...fresh, newest: NOW - 200 * DAY })];
    expect(kinds(statistics(null, all))).toEqual([]);
    expect(allNew(feedNumbers(statistics(null, all), feeds, NOW), NOW)).toBe(true);
    const known = [...all, numbers(3, { ...fresh, subscribed: NOW - 14 * DAY })];
    expect(kinds(statistics(null, known))).toEqual([[3, 'unread']]);
    expect(allNew(feedNumbers(statistics(null, known), feeds, NOW), NOW)).toBe(false);
  });

  it('list feeds that are read as often by title', () => {
    const parts = new Map([18, 9].map((id) => [id, { id, title: `Part ${id}` } as Feed]));
    const all = feedNumbers(statistics(null, [numbers(18), numbers(9)]), parts, NOW);
    expect(mostRead(all, 5).map(({ feed_id }) => feed_id)).toEqual([9, 18]);
  });

  it('list the most read feeds', () => {
    const all = statistics(null, [numbers(1), numbers(2, { opened: 9 }), numbers(3, { opened: 0 })]);
    expect(mostRead(feedNumbers(all, feeds, NOW), 5).map(({ feed_id }) => feed_id)).toEqual([2, 1]);
    expect(feedNumbers(all, feeds, NOW)[0]?.per_day).toBe(1);
  });
});
