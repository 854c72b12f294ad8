import type { ArticleRow, ListLayout } from '../../lib/ipc';

/** In rem; Row.svelte is drawn to fit: three lines of title and excerpt, or two of a title alone, above a line of particulars. */
export const FULL_ROW = 6.5;
export const SHORT_ROW = 5.25;
/** A large picture, and beside it two lines of a title and three of the excerpt. */
export const MAGAZINE_ROW = 10;
export const COMPACT_ROW = 2.125;
/** Of a day or a feed, above its rows. */
export const HEADING = 2.25;

export function rowHeight(row: ArticleRow, drawn: ListLayout): number {
  if (drawn === 'magazine') return MAGAZINE_ROW;
  if (drawn === 'compact') return COMPACT_ROW;
  return row.excerpt ? FULL_ROW : SHORT_ROW;
}
