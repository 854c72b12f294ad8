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
  length: 200,
  thumbnail: null,
  offline_thumbnail: null,
  media: null,
  duration: null,
  has_link: true,
  updated: false,
  ...more,
});
const ids = (rows: readonly ArticleRow[]) => rows.map((one) => one.id);

describe('merging new rows', () => {
  it('adds newer rows at the top', () => {
    const { rows, added } = merge([row(2, 20), row(1, 10)], [row(4, 40), row(3, 30), row(2, 20)], false, false);
    expect(ids(rows)).toEqual([4, 3, 2, 1]);
    expect(ids(added)).toEqual([4, 3]);
  });

  it('inserts late rows in order', () => {
    expect(ids(merge([row(3, 30), row(1, 10)], [row(3, 30), row(2, 20), row(1, 10)], false, false).rows)).toEqual([
      3, 2, 1,
    ]);
  });

  it('removes nothing: read rows stay in the Unread list', () => {
    const shown = [row(3, 30, { read: true }), row(2, 20)];
    expect(ids(merge(shown, [row(2, 20)], false, false).rows)).toEqual([3, 2]);
  });

  it('updates existing rows', () => {
    const { rows } = merge([row(1, 10)], [row(1, 10, { read: true, starred: true })], false, false);
    expect(rows[0]).toMatchObject({ read: true, starred: true });
  });

  it('keeps a row in place if its feed changes the date', () => {
    const { rows, added } = merge([row(2, 20), row(1, 10)], [row(1, 99), row(2, 20)], false, false);
    expect(ids(rows)).toEqual([2, 1]);
    expect(added).toEqual([]);
  });

  it('leaves rows below the last page to later pages', () => {
    expect(ids(merge([row(3, 30)], [row(3, 30), row(1, 10)], false, true).rows)).toEqual([3]);
    expect(ids(merge([row(3, 30)], [row(3, 30), row(1, 10)], false, false).rows)).toEqual([3, 1]);
  });

  it('supports ascending order, and sorts by id at equal times', () => {
    expect(ids(merge([row(1, 10)], [row(1, 10), row(2, 10), row(3, 30)], true, false).rows)).toEqual([1, 2, 3]);
    expect(compare({ sort_at: 1, id: 2 }, { sort_at: 1, id: 1 }, false)).toBeLessThan(0);
  });
});

describe('an order known only to the core', () => {
  it('inserts new rows where the core has them', () => {
    const { rows, added } = weave(
      [row(7, 1), row(2, 9), row(5, 3)],
      [row(9, 2), row(7, 1), row(3, 3), row(4, 3), row(5, 3)],
    );
    expect(ids(rows)).toEqual([9, 7, 3, 4, 2, 5]);
    expect(ids(added)).toEqual([9, 3, 4]);
  });

  it('keeps rows that the core omits, and updates the others', () => {
    const { rows, added } = weave([row(1, 1), row(2, 2)], [row(2, 2, { read: true })]);
    expect(rows.map(({ id, read }) => [id, read])).toEqual([[1, false], [2, true]]); // prettier-ignore
    expect(added).toEqual([]);
  });
});

describe('restoring removed rows', () => {
  it('puts them back in place and keeps other changes', () => {
    const before = [row(5, 50), row(4, 40), row(3, 30), row(2, 20)];
    const now = [row(6, 60), row(4, 40, { read: true }), row(1, 10)];
    const rows = putBack(now, before, new Set([5, 3]));
    expect(ids(rows)).toEqual([5, 6, 4, 3, 1]);
    expect(rows[2]?.read).toBe(true);
  });
});
