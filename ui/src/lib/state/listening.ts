/** Started episodes. */
import { call, type ArticleRow } from '../ipc';
import { t } from '../messages';
import { reading } from './article.svelte';
import { undoable } from './feeds';
import { list } from './list.svelte';
import { playedArticles } from './played.svelte';
import { player } from './player.svelte';
import { toasts } from './toasts.svelte';
import { undo } from './undo.svelte';

/** Plays the first audio or video of an article, or pauses it. */
export async function playRow(row: Pick<ArticleRow, 'id'>): Promise<void> {
  if (player.now?.id === row.id) return player.toggle();
  try {
    const article = reading.article?.id === row.id ? reading.article : await call('open_article', { id: row.id });
    const found = player.first(article);
    if (found) player.play(article, found);
  } catch (error) {
    toasts.error(error);
  }
}

/** Marks an episode as played to its end, which removes it from the started ones. */
export const markPlayed = undo.action(
  async (row: Pick<ArticleRow, 'id' | 'title' | 'media' | 'played'>): Promise<void> => {
    try {
      if (player.now?.id === row.id) player.close();
      const { undo } = await call('mark_played', { id: row.id });
      player.setPlayed(row.id, true);
      playedArticles.setFinished(row, true);
      const putBack = list.source.kind === 'listening' ? list.without(row.id) : () => {};
      undoable(
        t('listening.played.done', { title: row.title || t('list.untitled') }),
        undo,
        () => {
          player.setPlayed(row.id, false);
          playedArticles.setFinished(row, false);
          putBack();
        },
        () => markPlayed(row),
      );
    } catch (error) {
      toasts.error(error);
    }
  },
);
