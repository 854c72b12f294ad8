import type { ArticleRow } from '../ipc';

/** Which thumbnails may be shown. */
export type Thumbnails = {
  readonly thumbnails: boolean;
  /** Returns whether a feed's remote thumbnails may be loaded. */
  readonly shows: (feed: number) => boolean;
};

/** Returns the address of a row's thumbnail: the downloaded one, or a remote one if allowed. */
export function thumbnailOf(
  row: Pick<ArticleRow, 'thumbnail' | 'offline_thumbnail' | 'feed_id'>,
  { thumbnails, shows }: Thumbnails,
): string | null {
  if (!thumbnails) return null;
  if (row.offline_thumbnail) return row.offline_thumbnail;
  const { thumbnail } = row;
  if (!thumbnail) return null;
  if (/^data:image\//i.test(thumbnail)) return thumbnail;
  return shows(row.feed_id) && /^https?:/i.test(thumbnail) ? thumbnail : null;
}
