/** The columns of a list: which fit, how wide they are, and by which the list can be sorted. */
import type { ColumnWidths, ListOrder } from '../ipc';

/** A column with a width of its own. The title comes first and has the remaining width. */
export type SizedColumn = keyof ColumnWidths;
export type Column = 'title' | SizedColumn;

/** CSS pixels at 100 %. */
export const COLUMN_WIDTHS: Record<
  SizedColumn,
  { readonly min: number; readonly max: number; readonly usual: number }
> = {
  feed: { min: 64, max: 400, usual: 160 },
  author: { min: 64, max: 400, usual: 136 },
  date: { min: 56, max: 240, usual: 96 },
  length: { min: 48, max: 200, usual: 80 },
};

/**
 * Sets of columns, the best first, with the width that each leaves to the title at least. Without a column for the feed,
 * its icon is before the title.
 */
const SETS: readonly (readonly [columns: readonly SizedColumn[], title: number])[] = [
  [['feed', 'author', 'date', 'length'], 200],
  [['feed', 'date', 'length'], 200],
  [['feed', 'date'], 136],
  [['date'], 104],
];

/** Returns the columns that fit. `width`: of all columns, in CSS pixels at 100 %; `feeds`: whether rows name their feed. */
export function columnsIn(width: number, widths: ColumnWidths, feeds: boolean): SizedColumn[] {
  for (const [columns, title] of SETS) {
    const shown = columns.filter((column) => column !== 'feed' || feeds);
    if (shown.reduce((room, column) => room - widths[column], width) >= title) return shown;
  }
  return [];
}

/** Returns the grid of the header and the rows. */
export const gridOf = (columns: readonly SizedColumn[], widths: ColumnWidths): string =>
  ['minmax(0, 1fr)', ...columns.map((column) => `${String(widths[column] / 16)}rem`)].join(' ');

/** The orders by a column, the first of them first. */
const ORDERS: Record<Column, readonly [ListOrder, ListOrder]> = {
  title: ['title', 'title_descending'],
  feed: ['by_feed', 'newest'],
  author: ['author', 'author_descending'],
  date: ['newest', 'oldest'],
  length: ['longest', 'shortest'],
};

const UPWARD: readonly ListOrder[] = ['title', 'author', 'oldest', 'shortest'];

/** Returns the order that a click on a header chooses. */
export function nextOrder(column: Column, order: ListOrder): ListOrder {
  const [first, second] = ORDERS[column];
  return order === first ? second : first;
}

/** Returns how a list is sorted by a column: upward, downward or not at all. */
export function sortedBy(column: Column, order: ListOrder): 'up' | 'down' | null {
  if (column === 'feed') return order === 'by_feed' ? 'up' : null;
  if (!ORDERS[column].includes(order)) return null;
  return UPWARD.includes(order) ? 'up' : 'down';
}
