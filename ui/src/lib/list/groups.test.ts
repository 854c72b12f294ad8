import { describe, expect, it, vi } from 'vitest';
import type { ArticleRow } from '../ipc';
import { among, groups } from './groups';

const at = (day: number, hour: number) => new Date(2026, 4, day, hour).getTime();
const row = (id: number, sort_at: number, feed_id = 1) => ({ id, sort_at, feed_id }) as ArticleRow;
const spans = (all: ReturnType<typeof groups>) => all.map(({ start, end }) => [start, end]);

describe('groups', () => {
  const rows = [row(5, at(9, 22)), row(4, at(9, 1)), row(3, at(8, 23), 2), row(2, at(7, 5), 2), row(1, at(7, 4))];

  it('are formed by day', () => expect(spans(groups(rows, 'day'))).toEqual([[0, 2], [2, 3], [3, 5]])); // prettier-ignore
  it('are formed by feed', () => expect(spans(groups(rows, 'feed'))).toEqual([[0, 2], [2, 4], [4, 5]])); // prettier-ignore
  it('make the name of each day once, and keep days apart at midnight', () => {
    const named = vi.spyOn(Date.prototype, 'toDateString');
    const many = Array.from({ length: 1000 }, (_, i) => row(i, at(12, 23) - i * 3_600_000));
    const found = groups([...many, row(1000, at(1, 0)), row(1001, at(1, 0) - 1)], 'day');
    expect(found.map(({ start, end }) => end - start).slice(0, 2)).toEqual([24, 24]);
    expect(found.at(-1)).toMatchObject({ start: 1001, end: 1002 });
    expect(named.mock.calls.length).toBeLessThanOrEqual(found.length);
    named.mockRestore();
  });
  it('are absent without grouping', () => expect(spans(groups(rows, 'none'))).toEqual([[0, 5]]));
  it('are absent in an empty list', () => expect(groups([], 'day')).toEqual([]));
  it('are drawn with their visible rows', () => {
    expect(spans(among(groups(rows, 'day'), 1, 3))).toEqual([[0, 2], [2, 3]]); // prettier-ignore
    expect(among(groups(rows, 'day'), 0, 0)).toEqual([]);
  });
});
