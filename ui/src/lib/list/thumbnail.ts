import type { ArticleRow, Settings } from '../ipc';

/** Where a row's small picture comes from: a kept one from here; from the web only where that is allowed. */
export function thumbnailOf(
  row: Pick<ArticleRow, 'thumbnail' | 'thumbnail_kept'>,
  wishes: Pick<Settings, 'thumbnails' | 'load_images'>,
): string | null {
  if (!wishes.thumbnails) return null;
  if (row.thumbnail_kept) return row.thumbnail_kept;
  const { thumbnail } = row;
  if (!thumbnail) return null;
  if (/^data:image\//i.test(thumbnail)) return thumbnail;
  return wishes.load_images && /^https?:/i.test(thumbnail) ? thumbnail : null;
}
