/** The columns of a list: which fit, how wide they are, and by which the list can be sorted. */
import type { ColumnWidths, ListColumn, ListOrder } from '../ipc';

/** A column with a width of its own. The title comes first and has the remaining width. */
export type SizedColumn = ListColumn;
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

/** Every column that can be shown, in the usual order. */
export const ALL_COLUMNS: readonly SizedColumn[] = SETS[0]?.[0] ?? [];

/**
 * Returns those of the `chosen` columns that fit, in their order. `width`: of all columns, in CSS pixels at 100 %;
 * `feeds`: whether rows name their feed.
 */
export function columnsIn(
  width: number,
  { columns: chosen, column_widths: widths }: { columns: readonly SizedColumn[]; column_widths: ColumnWidths },
  feeds: boolean,
): SizedColumn[] {
  for (const [columns, title] of SETS) {
    const shown = chosen.filter((column) => columns.includes(column) && (column !== 'feed' || feeds));
    if (shown.reduce((room, column) => room - widths[column], width) >= title) return shown;
  }
  return [];
}

/** Returns the columns with one of them shown or hidden. A column that appears is the last one. */
export const toggled = (shown: readonly SizedColumn[], column: SizedColumn): SizedColumn[] =>
  shown.includes(column) ? shown.filter((other) => other !== column) : [...shown, column];

/** Returns the columns with one of them moved by one place, or null if it is already at that end. */
export function moved(shown: readonly SizedColumn[], column: SizedColumn, step: 1 | -1): SizedColumn[] | null {
  const from = shown.indexOf(column);
  const other = shown[from + step];
  if (from < 0 || other === undefined) return null;
  return shown.map((each) => (each === column ? other : each === other ? column : each));
}

/** Returns the columns after one of them was moved to the position of another. */
export function movedTo(shown: readonly SizedColumn[], column: SizedColumn, place: SizedColumn): SizedColumn[] {
  const to = shown.indexOf(place);
  if (to < 0 || !shown.includes(column)) return [...shown];
  return shown.filter((other) => other !== column).toSpliced(to, 0, column);
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
