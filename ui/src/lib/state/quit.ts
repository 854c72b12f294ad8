/** Ends the program, and stores before what is not stored yet. */
import { call, type CloseAnswer } from '../ipc';
import { reading } from './article.svelte';
import { list } from './list.svelte';
import { notes } from './notes.svelte';
import { player } from './player.svelte';
import { scrolledPast } from './scrolled-past';
import { settings } from './settings.svelte';
import { toasts } from './toasts.svelte';
import { undo } from './undo.svelte';
import { storeWindowState } from './window-state.svelte';

/** Milliseconds after which the program ends although not everything is stored. */
const STORE_WITHIN = 2000;

/** The positions that are being stored. */
let positions: Promise<unknown> = Promise.resolve();

/**
 * Stores what would be stored soon, and waits for it, for what is being stored already, and for actions that are not done. Failures are
 * reported where they would be otherwise, and never rejected.
 */
async function storeEverything(): Promise<void> {
  positions = Promise.allSettled([positions, list.savePosition(), player.savePosition()]);
  await Promise.allSettled([
    scrolledPast.mark(),
    storeWindowState(),
    settings.store(),
    notes.saveDraft(),
    reading.storePosition(),
    positions,
    undo.idle,
  ]);
}

/** Answers what closing the window does. */
export async function answerClose(answer: CloseAnswer): Promise<void> {
  try {
    if (answer === 'quit' || answer === 'quit_once') await storeBeforeQuitting();
    await call('answer_close', { answer });
  } catch (error) {
    toasts.error(error);
  }
}

export const quit = (): Promise<void> => answerClose('quit_once');

/** Stores what is not stored yet, in a limited time. */
export async function storeBeforeQuitting(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, STORE_WITHIN));
  await Promise.race([storeEverything(), late]);
}

/** Stores what is not stored yet whenever the window is hidden or closed. Returns a function that stops that. */
export function storeWhenHidden(): () => void {
  const hidden = () => void (document.hidden && storeEverything());
  const closed = () => void storeEverything();
  document.addEventListener('visibilitychange', hidden);
  addEventListener('pagehide', closed);
  return () => {
    document.removeEventListener('visibilitychange', hidden);
    removeEventListener('pagehide', closed);
  };
}
