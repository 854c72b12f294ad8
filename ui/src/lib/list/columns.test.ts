import { describe, expect, it } from 'vitest';
import type { ColumnWidths } from '../ipc';
import {
  ALL_COLUMNS,
  COLUMN_WIDTHS,
  columnsIn,
  gridOf,
  moved,
  movedTo,
  nextOrder,
  sortedBy,
  toggled,
  type SizedColumn,
} from './columns';

const widths = Object.fromEntries(
  (Object.keys(COLUMN_WIDTHS) as SizedColumn[]).map((column) => [column, COLUMN_WIDTHS[column].usual]),
) as ColumnWidths;

const usual = { columns: ALL_COLUMNS, column_widths: widths };

describe('columns', () => {
  it('drop out by priority while the title has too little room', () => {
    const of = (width: number) => columnsIn(width, usual, true).join(' ');
    expect(of(700)).toBe('feed author date length');
    expect(of(671)).toBe('feed date length');
    expect(of(535)).toBe('feed date');
    expect(of(392)).toBe('feed date');
    // In a list of the usual width, the date by which it is sorted stays; the icon stands for the feed.
    expect(of(322)).toBe('date');
    expect(of(200)).toBe('date');
    expect(of(199)).toBe('');
  });

  it('drop out earlier if they are wide', () => {
    expect(columnsIn(700, { ...usual, column_widths: { ...widths, feed: 300 } }, true)).toEqual([
      'feed',
      'date',
      'length',
    ]);
  });

  it('do not repeat the feed of a list of one feed', () => {
    expect(columnsIn(700, usual, false)).toEqual(['author', 'date', 'length']);
  });

  it('are those that the user chose, in that order', () => {
    const of = (columns: SizedColumn[], width = 700) => columnsIn(width, { ...usual, columns }, true);
    expect(of(['length', 'date'])).toEqual(['length', 'date']);
    expect(of(['length', 'author', 'date'], 340)).toEqual(['date']);
    expect(of([])).toEqual([]);
  });

  it('are hidden, shown and moved', () => {
    expect(toggled(ALL_COLUMNS, 'author')).toEqual(['feed', 'date', 'length']);
    expect(toggled(['date'], 'feed')).toEqual(['date', 'feed']);
    expect(moved(['feed', 'date', 'length'], 'date', 1)).toEqual(['feed', 'length', 'date']);
    expect(moved(['feed', 'date', 'length'], 'date', -1)).toEqual(['date', 'feed', 'length']);
    expect(moved(['feed', 'date'], 'date', 1)).toBeNull();
    expect(moved(['feed', 'date'], 'author', -1)).toBeNull();
    expect(movedTo(['feed', 'author', 'date'], 'feed', 'date')).toEqual(['author', 'date', 'feed']);
    expect(movedTo(['feed', 'author', 'date'], 'date', 'feed')).toEqual(['date', 'feed', 'author']);
    expect(movedTo(['feed', 'date'], 'date', 'date')).toEqual(['feed', 'date']);
    expect(movedTo(['feed', 'date'], 'author', 'date')).toEqual(['feed', 'date']);
    expect(movedTo(['feed', 'date'], 'date', 'author')).toEqual(['feed', 'date']);
  });

  it('have their widths, and the title has the rest', () => {
    expect(gridOf(['feed', 'date'], { ...widths, feed: 200 })).toBe('minmax(0, 1fr) 12.5rem 6rem');
  });
});

describe('headers', () => {
  it('sort by the orders that the library has', () => {
    expect(nextOrder('date', 'longest')).toBe('newest');
    expect(nextOrder('date', 'newest')).toBe('oldest');
    expect(nextOrder('date', 'oldest')).toBe('newest');
    expect(nextOrder('length', 'newest')).toBe('longest');
    expect(nextOrder('length', 'longest')).toBe('shortest');
    expect(nextOrder('feed', 'infrequent_first')).toBe('by_feed');
    // There is no opposite order of feeds.
    expect(nextOrder('feed', 'by_feed')).toBe('newest');
  });

  it('sort texts in both directions', () => {
    expect([nextOrder('title', 'newest'), nextOrder('author', 'newest')]).toEqual(['title', 'author']);
    expect([nextOrder('title', 'title'), nextOrder('author', 'author')]).toEqual([
      'title_descending',
      'author_descending',
    ]);
    expect(nextOrder('title', 'title_descending')).toBe('title');
  });

  it('show the order', () => {
    const all = (order: Parameters<typeof sortedBy>[1]) =>
      (['title', 'feed', 'author', 'date', 'length'] as const).map((column) => sortedBy(column, order));
    expect(all('newest')).toEqual([null, null, null, 'down', null]);
    expect(all('oldest')).toEqual([null, null, null, 'up', null]);
    expect(all('title')).toEqual(['up', null, null, null, null]);
    expect(all('author_descending')).toEqual([null, null, 'down', null, null]);
    expect(all('by_feed')).toEqual([null, 'up', null, null, null]);
    expect(all('shortest')).toEqual([null, null, null, null, 'up']);
    expect(all('infrequent_first')).toEqual([null, null, null, null, null]);
  });
});
