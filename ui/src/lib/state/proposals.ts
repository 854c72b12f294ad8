/** What is done about feeds that statistics name. Each can be taken back. */
import { call, type Feed } from '../ipc';
import { t } from '../messages';
import { setKeep, undoable } from './feeds';
import { toasts } from './toasts.svelte';

/** So many articles stay of a feed of which fewer are to be kept. */
export const FEWER = 50;

/** Says whether it was done. */
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
    setKeep(
      { kind: 'feed', id: feed.id },
      { days: null, articles: FEWER, bytes: null, keep_unread: false },
      () => false,
      back,
    ),
  );

/** By a rule, which stands among the others from then on. */
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
