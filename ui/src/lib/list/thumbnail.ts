import type { ArticleRow } from '../ipc';

/** What small pictures there may be. */
export type Thumbnails = {
  readonly thumbnails: boolean;
  /** Whether a feed's may come from the web. */
  readonly shows: (feed: number) => boolean;
};

/** Where a row's small picture comes from: a kept one from here; from the web only where that is allowed. */
export function thumbnailOf(
  row: Pick<ArticleRow, 'thumbnail' | 'thumbnail_kept' | 'feed_id'>,
  { thumbnails, shows }: Thumbnails,
): string | null {
  if (!thumbnails) return null;
  if (row.thumbnail_kept) return row.thumbnail_kept;
  const { thumbnail } = row;
  if (!thumbnail) return null;
  if (/^data:image\//i.test(thumbnail)) return thumbnail;
  return shows(row.feed_id) && /^https?:/i.test(thumbnail) ? thumbnail : null;
}
