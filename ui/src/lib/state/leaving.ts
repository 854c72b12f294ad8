/** What is not stored yet when Gleaner quits: it waits for a pause of typing or of changes. */
import { reading } from './article.svelte';
import { notes } from './notes.svelte';
import { settings } from './settings.svelte';
import { storeWindowState } from './window-state.svelte';

/** Milliseconds for which quitting waits. A library that another program has locked must not keep Gleaner open. */
const MAX_WAIT = 3000;

/** Stores it, and never rejects: what can't be stored does not keep Gleaner from quitting. */
export async function storeAll(): Promise<void> {
  const stored = Promise.allSettled([reading.storePosition(), notes.saveDraft(), settings.store(), storeWindowState()]);
  await Promise.race([stored, new Promise((resolve) => setTimeout(resolve, MAX_WAIT))]);
}
