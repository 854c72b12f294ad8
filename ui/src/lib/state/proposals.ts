/** Actions for the suggestions in the statistics dialog. Each can be undone. */
import { call, type Feed } from '../ipc';
import { t } from '../messages';
import { setRetention, undoable } from './feeds';
import { toasts } from './toasts.svelte';

/** Number of articles that the "keep fewer articles" suggestion keeps per feed. */
export const FEWER = 50;

/** Runs an action and shows a toast on failure. Returns whether it succeeded. */
async function attempt(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    toasts.error(error);
    return false;
  }
}

export const keepFewer = (feed: Feed, back: () => void): Promise<boolean> =>
  attempt(() =>
    setRetention(
      { kind: 'feed', id: feed.id },
      { days: null, articles: FEWER, bytes: null, keep_unread: false },
      () => false,
      back,
    ),
  );

/** Adds a rule that marks new articles as read. */
export const markNewRead = (feed: Feed, back: () => void): Promise<boolean> =>
  attempt(async () => {
    const name = t('statistics.mark_read.rule', { title: feed.title });
    const { undo } = await call('save_rule', {
      id: null,
      name,
      query: '',
      scope: { kind: 'feed', id: feed.id },
      actions: [{ kind: 'read' }],
    });
    undoable(t('rules.added', { name }), undo, back);
  });
