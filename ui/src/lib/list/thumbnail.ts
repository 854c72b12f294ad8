import type { ArticleRow } from '../ipc';

/** Which thumbnails may be shown. */
export type Thumbnails = {
  readonly thumbnails: boolean;
  /** Returns whether a feed's remote thumbnails may be loaded. */
  readonly shows: (feed: number) => boolean;
};

/** Images remembered as broken; more are forgotten. */
const MAX_BROKEN = 2000;
const broken = new Set<string>();

/**
 * Notes that an image could not be loaded, so that no row has room for it from now on. Offline, all remote images fail;
 * a `data:` address may be long.
 */
export function noteBroken(address: string, isOnline = navigator.onLine): void {
  if (!isOnline || /^data:/i.test(address)) return;
  if (broken.size >= MAX_BROKEN) broken.clear();
  broken.add(address);
}

/** Returns the address of a row's thumbnail: the downloaded one, or a remote one if allowed. Broken images are left out. */
export function thumbnailOf(
  row: Pick<ArticleRow, 'thumbnail' | 'offline_thumbnail' | 'feed_id'>,
  { thumbnails, shows }: Thumbnails,
): string | null {
  if (!thumbnails) return null;
  if (row.offline_thumbnail && !broken.has(row.offline_thumbnail)) return row.offline_thumbnail;
  const { thumbnail } = row;
  if (!thumbnail || broken.has(thumbnail)) return null;
  if (/^data:image\//i.test(thumbnail)) return thumbnail;
  return shows(row.feed_id) && /^https?:/i.test(thumbnail) ? thumbnail : null;
}
