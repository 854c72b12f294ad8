/** Stores the latest changes, then ends the program. */
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

/** Milliseconds after which the program ends even if not everything is stored. */
const STORE_WITHIN = 2000;

/** The positions that are being stored. */
let positions: Promise<unknown> = Promise.resolve();

/**
 * Stores all pending changes at once, and waits for them, for changes being stored already, and for running actions. Failures are reported
 * as usual; the promise never rejects.
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

/** Sends the user's answer about closing the window. */
export async function answerClose(answer: CloseAnswer): Promise<void> {
  try {
    if (answer === 'quit' || answer === 'quit_once') await storeBeforeQuitting();
    await call('answer_close', { answer });
  } catch (error) {
    toasts.error(error);
  }
}

export const quit = (): Promise<void> => answerClose('quit_once');

/** Stores pending changes, within a time limit. */
export async function storeBeforeQuitting(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, STORE_WITHIN));
  await Promise.race([storeEverything(), late]);
}

/** Stores pending changes whenever the window is hidden or closed. Returns a function that stops this. */
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
