import type { ArticleRow, Settings } from '../../lib/ipc';
import { thumbnailOf, type Thumbnails } from '../../lib/list/thumbnail';

/** In rem, must match Row.svelte: three lines of title and excerpt, or a two-line title, above a line of metadata. */
const FULL_ROW = 6.5;
const SHORT_ROW = 5.25;
/** Four lines next to a large image, or three without one. */
const MAGAZINE_ROW = 8.25;
const IMAGE_ROW = 10;
const COMPACT_ROW = 2.125;
/** Group heading above its rows. */
export const HEADING = 2.25;

type RowOptions = Pick<Settings, 'list_layout'> & Thumbnails;

export function rowHeight(row: ArticleRow, options: RowOptions): number {
  const drawn = options.list_layout;
  if (drawn === 'magazine') return thumbnailOf(row, options) ? IMAGE_ROW : MAGAZINE_ROW;
  if (drawn === 'compact') return COMPACT_ROW;
  return row.excerpt ? FULL_ROW : SHORT_ROW;
}
