/** Pictures from the web: as is wished of a feed, of its folders, or of all. */
import { call, type FeedScope } from '../ipc';
import { t } from '../messages';
import { library } from './library.svelte';
import { settings } from './settings.svelte';
import { toasts } from './toasts.svelte';

/** Of a feed that is not known yet nothing is known: its folder may say no. */
export function showsPictures(feed: number): boolean {
  const known = library.feedById.get(feed);
  return known !== undefined && (known.load_images ?? settings.value.load_images);
}

/** The feed or a folder of its says so, whatever is said of all. */
export const saysOfPictures = (feed: number): boolean => (library.feedById.get(feed)?.load_images ?? null) !== null;

async function say(scope: FeedScope, load_images: boolean | null): Promise<boolean | null> {
  const { own } = await call('preferences', scope);
  await call('set_preferences', { scope, preferences: { ...own, load_images } });
  return own.load_images;
}

/** Shows a feed's pictures from now on; the toast takes it back. */
export async function showPictures(feed: number): Promise<void> {
  const scope: FeedScope = { kind: 'feed', id: feed };
  const title = library.feedById.get(feed)?.title ?? '';
  try {
    const before = await say(scope, true);
    const back = () => void say(scope, before).catch((error: unknown) => toasts.error(error));
    toasts.show(t('prefs.images.done', { title }), { action: { label: t('toast.undo'), run: back } });
  } catch (error) {
    toasts.error(error);
  }
}
