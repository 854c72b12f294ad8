/** How the episodes of a feed are played. */
import { call, type FeedPlayback } from '../ipc';
import { toasts } from './toasts.svelte';

/** Sets how the episodes of a feed are played. */
export async function setFeedPlayback(feed_id: number, playback: FeedPlayback): Promise<void> {
  try {
    await call('set_feed_playback', { feed_id, playback });
  } catch (error) {
    toasts.error(error);
  }
}
