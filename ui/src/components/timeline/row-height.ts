import type { ArticleRow, Settings } from '../../lib/ipc';
import { thumbnailOf, type Thumbnails } from '../../lib/list/thumbnail';

/** In rem; Row.svelte is drawn to fit: three lines of title and excerpt, or two of a title alone, above a line of particulars. */
const FULL_ROW = 6.5;
const SHORT_ROW = 5.25;
/** Four lines beside a large picture, or three without one. */
const MAGAZINE_ROW = 8.25;
const PICTURE_ROW = 10;
const COMPACT_ROW = 2.125;
/** Of a day or a feed, above its rows. */
export const HEADING = 2.25;

type Wishes = Pick<Settings, 'list_layout'> & Thumbnails;

export function rowHeight(row: ArticleRow, wishes: Wishes): number {
  const drawn = wishes.list_layout;
  if (drawn === 'magazine') return thumbnailOf(row, wishes) ? PICTURE_ROW : MAGAZINE_ROW;
  if (drawn === 'compact') return COMPACT_ROW;
  return row.excerpt ? FULL_ROW : SHORT_ROW;
}
