/** How far the episode of a row was played, live while it is in the player. */
import type { ArticleRow, Played } from '../ipc';
import { playedArticles } from './played.svelte';
import { player } from './player.svelte';

type Row = Pick<ArticleRow, 'id' | 'media' | 'played'>;

/** Returns how far an episode was played, to the second; `null` if it was not started. */
export function progressOf(row: Row): Played | null {
  const stored = playedArticles.of(row);
  if (player.now?.id !== row.id || (row.media === null && !stored)) return stored;
  // An episode that has ended stays in the player.
  if (player.wholeSeconds === 0 || (stored?.finished && !player.playing)) return stored;
  const duration = player.length > 0 ? Math.floor(player.length) : (stored?.duration ?? null);
  return { seconds: player.wholeSeconds, duration, finished: false };
}

/** Returns whether an episode was started and not played to its end. */
export const isStarted = (row: Row): boolean => progressOf(row)?.finished === false;
