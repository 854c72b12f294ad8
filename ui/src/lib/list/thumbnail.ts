/** Chooses the thumbnails of rows, and remembers which cannot be loaded. */
import type { ArticleRow } from '../ipc';

/** Which thumbnails may be shown. */
export type Thumbnails = {
  readonly thumbnails: boolean;
  /** Whether episodes without an image show that of their feed. */
  readonly ofFeed: boolean;
  /** Returns whether a feed's remote thumbnails may be loaded. */
  readonly shows: (feed: number) => boolean;
};

/** Images remembered as broken; more are forgotten. */
const MAX_BROKEN = 2000;
const broken = new Set<string>();
/** Those of them for which no row has room any more. */
const withoutRoom = new Set<string>();
let noticed: () => void = () => {};

/** Calls back when an image could not be loaded. Returns a function that stops it. */
export function onBroken(callback: () => void): () => void {
  noticed = callback;
  return () => {
    if (noticed === callback) noticed = () => {};
  };
}

/**
 * Notes that an image could not be loaded, so that it is not tried again. Offline, all remote images fail; a `data:`
 * address may be long.
 */
export function noteBroken(address: string, isOnline = navigator.onLine): void {
  if (!isOnline || /^data:/i.test(address)) return;
  if (broken.size >= MAX_BROKEN) {
    broken.clear();
    withoutRoom.clear();
  }
  broken.add(address);
  noticed();
}

type Pictured = Pick<ArticleRow, 'thumbnail' | 'offline_thumbnail' | 'show_image' | 'feed_id'>;

/** Takes the room of broken images from all rows but these. Returns whether a row may have got another height. */
export function takeRoom(held: readonly Pictured[]): boolean {
  const kept = new Set(held.flatMap((row) => [row.thumbnail, row.offline_thumbnail, row.show_image]));
  const taken = [...broken].filter((address) => !kept.has(address) && !withoutRoom.has(address));
  for (const address of taken) withoutRoom.add(address);
  return taken.length > 0;
}

/** Returns whether a row has room for a thumbnail. A row that is being seen keeps it when the image turns out broken. */
export const hasRoom = (row: Pictured, options: Thumbnails): boolean => thumbnailOf(row, options, withoutRoom) !== null;

/** Returns the address of a row's thumbnail: the downloaded one, or a remote one if allowed. Broken images are left out. */
export function thumbnailOf(
  row: Pictured,
  { thumbnails, ofFeed, shows }: Thumbnails,
  without: ReadonlySet<string> = broken,
): string | null {
  if (!thumbnails) return null;
  if (row.offline_thumbnail && !without.has(row.offline_thumbnail)) return row.offline_thumbnail;
  const thumbnail = row.thumbnail ?? (ofFeed ? row.show_image : null);
  if (!thumbnail || without.has(thumbnail)) return null;
  if (/^data:image\//i.test(thumbnail)) return thumbnail;
  return shows(row.feed_id) && /^https?:/i.test(thumbnail) ? thumbnail : null;
}
