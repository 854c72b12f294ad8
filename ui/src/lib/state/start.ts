/** Loads the window's initial state, also after another library has replaced the current one. */
import { call, listening, type Overview, type WindowState } from '../ipc';
import { setLanguage } from '../messages';
import { accounts } from './accounts.svelte';
import { reading } from './article.svelte';
import { backfills } from './backfill.svelte';
import { collections } from './collections.svelte';
import { comments } from './comments.svelte';
import { feedHeaders } from './feed-header.svelte';
import { layout } from './layout.svelte';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { notes } from './notes.svelte';
import { refresh } from './refresh.svelte';
import { restorePlayer, restoreWindow } from './restore-window';
import { scrolledPast } from './scrolled-past';
import { search } from './search.svelte';
import { settings } from './settings.svelte';
import { episodes } from './episodes.svelte';
import { playQueue } from './play-queue.svelte';
import { player } from './player.svelte';
import { sharing } from './sharing.svelte';
import { sidebar } from './sidebar.svelte';
import { toasts } from './toasts.svelte';
import { transcripts } from './transcript.svelte';
import { undo } from './undo.svelte';
import { views } from './views.svelte';
import { visited } from './visited.svelte';
import { loadWindowState } from './window-state.svelte';

/** Milliseconds for which the window waits for its first list, so that it is drawn once, not without and then with it. */
const LIST_SOON = 50;

/** Sends all requests at once. */
export async function start(): Promise<void> {
  let first: Promise<void> | undefined;
  let before: WindowState | null = null;
  // Show nothing before the language and the list orders are known, or the window would change visibly.
  const known = Promise.all([
    settings.load().then(() => setLanguage(settings.value.language)),
    views.load(),
    // The feeds must not move down when saved searches and tags arrive.
    collections.load(),
    loadWindowState().then((state) => (before = state)),
  ]);
  const there = await library.load(known, (overview) => {
    first = showFirst(overview, before);
    return Promise.race([Promise.allSettled([first]), new Promise((resolve) => setTimeout(resolve, LIST_SOON))]);
  });
  if (!there) return;
  void reportReady();
  void sharing.load();
  void playQueue.load();
  // A downloaded episode is played from its file.
  void episodes.load().then(() => restorePlayer(before));
  await first;
}

/** Loads the first list: the one that was shown last. */
async function showFirst(overview: Overview, before: WindowState | null): Promise<void> {
  const { first_run, counts, feeds } = overview;
  // The user has already chosen a list.
  if (first_run || list.generation !== 0) return;
  // If nothing is unread, show all articles instead of an empty list.
  if (!(await restoreWindow(before, overview)))
    await list.show(counts.smart.unread > 0 || feeds.length === 0 ? { kind: 'unread' } : { kind: 'all' });
  const focused = document.activeElement;
  if (!focused || focused === document.body) layout.focus('list', true);
}

/**
 * Tells the core that the window is listening. The core then reports missed changes and starts what the command line
 * requested.
 */
async function reportReady(): Promise<void> {
  await listening();
  try {
    const before = refresh.progress;
    const progress = await call('ready');
    // An event received in the meantime is newer.
    if (progress && refresh.progress === before) refresh.onProgress(progress);
    const { announce } = await import('./announcements');
    await announce();
  } catch (error) {
    console.warn('ready', error);
  }
}

/** Clears all state of the previous library, whose ids are no longer valid, and starts again. */
export async function restart(): Promise<void> {
  notes.forget();
  reading.forget();
  player.forget();
  comments.forget();
  transcripts.forget();
  backfills.forget();
  undo.forget();
  toasts.forget();
  sidebar.forget();
  visited.forget();
  library.forget();
  scrolledPast.forget();
  list.pendingMarks.forget();
  feedHeaders.forget();
  accounts.forget();
  search.forget();
  list.place = null;
  list.generation = 0;
  await start();
}
