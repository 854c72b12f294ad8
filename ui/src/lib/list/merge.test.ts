import { describe, expect, it } from 'vitest';
import type { ArticleRow } from '../ipc';
import { compare, merge, putBack, weave } from './merge';

const row = (id: number, sort_at: number, more: Partial<ArticleRow> = {}): ArticleRow => ({
  id,
  feed_id: 1,
  title: `Article ${id}`,
  excerpt: '',
  author: null,
  published: sort_at,
  sort_at,
  read: false,
  starred: false,
  reading_minutes: 1,
  words: 200,
  thumbnail: null,
  thumbnail_kept: null,
  media: null,
  updated: false,
  ...more,
});
const ids = (rows: readonly ArticleRow[]) => rows.map((one) => one.id);

describe('putting what is new among what is shown', () => {
  it('puts newer ones on top', () => {
    const { rows, added } = merge([row(2, 20), row(1, 10)], [row(4, 40), row(3, 30), row(2, 20)], false, false);
    expect(ids(rows)).toEqual([4, 3, 2, 1]);
    expect(ids(added)).toEqual([4, 3]);
  });

  it('puts late ones where they belong', () => {
    expect(ids(merge([row(3, 30), row(1, 10)], [row(3, 30), row(2, 20), row(1, 10)], false, false).rows)).toEqual([
      3, 2, 1,
    ]);
  });

  it('takes nothing away: what was read stays in the Unread view', () => {
    const shown = [row(3, 30, { read: true }), row(2, 20)];
    expect(ids(merge(shown, [row(2, 20)], false, false).rows)).toEqual([3, 2]);
  });

  it('takes the fresh state of those that are there', () => {
    const { rows } = merge([row(1, 10)], [row(1, 10, { read: true, starred: true })], false, false);
    expect(rows[0]).toMatchObject({ read: true, starred: true });
  });

  it('keeps a row in its place when its feed changes the date', () => {
    const { rows, added } = merge([row(2, 20), row(1, 10)], [row(1, 99), row(2, 20)], false, false);
    expect(ids(rows)).toEqual([2, 1]);
    expect(added).toEqual([]);
  });

  it('leaves what belongs below the last page to its own page', () => {
    expect(ids(merge([row(3, 30)], [row(3, 30), row(1, 10)], false, true).rows)).toEqual([3]);
    expect(ids(merge([row(3, 30)], [row(3, 30), row(1, 10)], false, false).rows)).toEqual([3, 1]);
  });

  it('orders the other way round, and by id where the time is the same', () => {
    expect(ids(merge([row(1, 10)], [row(1, 10), row(2, 10), row(3, 30)], true, false).rows)).toEqual([1, 2, 3]);
    expect(compare({ sort_at: 1, id: 2 }, { sort_at: 1, id: 1 }, false)).toBeLessThan(0);
  });
});

describe('an order that only the core knows', () => {
  it('puts what is new where the core has it', () => {
    const { rows, added } = weave(
      [row(7, 1), row(2, 9), row(5, 3)],
      [row(9, 2), row(7, 1), row(3, 3), row(4, 3), row(5, 3)],
    );
    expect(ids(rows)).toEqual([9, 7, 3, 4, 2, 5]);
    expect(ids(added)).toEqual([9, 3, 4]);
  });

  it('keeps what the core leaves out, and takes what it says anew', () => {
    const { rows, added } = weave([row(1, 1), row(2, 2)], [row(2, 2, { read: true })]);
    expect(rows.map(({ id, read }) => [id, read])).toEqual([[1, false], [2, true]]); // prettier-ignore
    expect(added).toEqual([]);
  });
});

describe('what was taken out', () => {
  it('comes back where it stood, and nothing else is as it was', () => {
    const before = [row(5, 50), row(4, 40), row(3, 30), row(2, 20)];
    const now = [row(6, 60), row(4, 40, { read: true }), row(1, 10)];
    const rows = putBack(now, before, new Set([5, 3]));
    expect(ids(rows)).toEqual([5, 6, 4, 3, 1]);
    expect(rows[2]?.read).toBe(true);
  });
});
