/** Pictures from the web: as is wished of a feed, of its folders, or of all. */
import { call, type FeedScope } from '../ipc';
import { t } from '../messages';
import { library } from './library.svelte';
import { settings } from './settings.svelte';
import { toasts } from './toasts.svelte';

export const showsPictures = (feed: number): boolean =>
  library.feedById.get(feed)?.load_images ?? settings.value.load_images;

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
