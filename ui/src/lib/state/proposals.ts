/** Actions for the suggestions in the statistics dialog. Each can be undone. */
import type { Feed } from '../ipc';
import { t, withoutIsolates } from '../messages';
import { setRetention } from './feed-changes';
import { EMPTY, rules } from './rules.svelte';
import { toasts } from './toasts.svelte';

/** Number of articles that the "keep fewer articles" suggestion keeps per feed. */
export const FEWER = 50;

/** Runs an action and shows a toast on failure. Returns whether it succeeded. */
async function attempt(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    toasts.error(error);
    return false;
  }
}

/** `changed` is called with whether the action was undone or redone. */
export const keepFewer = (feed: Feed, changed: (undone: boolean) => void): Promise<boolean> =>
  attempt(() =>
    setRetention(
      { kind: 'feed', id: feed.id },
      { days: null, articles: FEWER, bytes: null, keep_unread: false },
      () => false,
      changed,
    ),
  );

/** Adds a rule that marks new articles as read. `changed` is called with whether that was undone or redone. */
export const markNewRead = (feed: Feed, changed: (undone: boolean) => void): Promise<boolean> =>
  attempt(() => {
    const name = withoutIsolates(t('statistics.mark_read.rule', { title: feed.title }));
    return rules.save({ ...EMPTY, name, scope: { kind: 'feed', id: feed.id }, actions: [{ kind: 'read' }] }, changed);
  });
