/**
 * Frees the memory of the window while it is hidden in the tray: the core unloads the page, and loads it again before the window is shown.
 */
import { call } from '../ipc';
import { dialogs } from './dialogs.svelte';
import { exporting } from './export.svelte';
import { importing } from './import.svelte';
import { notes } from './notes.svelte';
import { player } from './player.svelte';
import { rules } from './rules.svelte';
import { speech } from './speech.svelte';
import { undo } from './undo.svelte';

/** Milliseconds for which the window must be hidden. */
export const HIDDEN_FOR = 60_000;
/** Milliseconds for which the last action can be undone in a hidden window. */
export const UNDO_FOR = 600_000;

/** Returns whether nothing would be lost or interrupted. */
function isIdle(): boolean {
  return (
    dialogs.open === null &&
    !player.playing &&
    speech.articleId === null &&
    importing.progress === null &&
    exporting.progress === null &&
    rules.applying === null &&
    !notes.hasDrafts &&
    Date.now() - undo.changedAt >= UNDO_FOR
  );
}

/** Unloads the window when it has been hidden and idle for a while. Returns a function that stops that. */
export function unloadWhenHidden(): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = () => {
    if (isIdle()) call('unload_window').catch((error: unknown) => console.warn('unload_window', error));
  };
  const update = () => {
    clearInterval(timer);
    timer = document.hidden ? setInterval(look, HIDDEN_FOR) : undefined;
  };
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', update);
  };
}
