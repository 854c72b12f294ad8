/** Started episodes. */
import { call, type ArticleRow } from '../ipc';
import { t } from '../messages';
import { undoable } from './feeds';
import { list } from './list.svelte';
import { player } from './player.svelte';
import { toasts } from './toasts.svelte';

/** Marks an episode as played to its end, which removes it from the started ones. */
export async function markPlayed(row: Pick<ArticleRow, 'id' | 'title'>): Promise<void> {
  try {
    if (player.now?.id === row.id) player.close();
    const { undo } = await call('mark_played', { id: row.id });
    player.setPlayed(row.id, true);
    const putBack = list.source.kind === 'listening' ? list.without(row.id) : () => {};
    undoable(
      t('listening.played.done', { title: row.title || t('list.untitled') }),
      undo,
      () => {
        player.setPlayed(row.id, false);
        putBack();
      },
      () => markPlayed(row),
    );
  } catch (error) {
    toasts.error(error);
  }
}
