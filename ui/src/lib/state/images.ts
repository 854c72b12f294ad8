/** Whether remote images are loaded, by feed, folder or global setting. */
import { call, type FeedScope } from '../ipc';
import { t } from '../messages';
import { library } from './library.svelte';
import { settings } from './settings.svelte';
import { toasts } from './toasts.svelte';

/** Returns false for a feed that is not loaded yet: its folder may forbid images. */
export function showsImages(feed: number): boolean {
  const known = library.feedById.get(feed);
  return known !== undefined && (known.load_images ?? settings.value.load_images);
}

/** Returns whether the feed or its folder has its own setting. */
export const hasOwnImageSetting = (feed: number): boolean => (library.feedById.get(feed)?.load_images ?? null) !== null;

async function setLoadImages(scope: FeedScope, load_images: boolean | null): Promise<boolean | null> {
  const { own } = await call('preferences', scope);
  await call('set_preferences', { scope, preferences: { ...own, load_images } });
  return own.load_images;
}

/** Turns on images for a feed, with a toast to undo it. */
export async function enableImages(feed: number): Promise<void> {
  const scope: FeedScope = { kind: 'feed', id: feed };
  const title = library.feedById.get(feed)?.title ?? '';
  try {
    const before = await setLoadImages(scope, true);
    const back = () => void setLoadImages(scope, before).catch((error: unknown) => toasts.error(error));
    toasts.show(t('prefs.images.done', { title }), { action: { label: t('toast.undo'), run: back } });
  } catch (error) {
    toasts.error(error);
  }
}
