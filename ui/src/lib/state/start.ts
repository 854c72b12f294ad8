/** What the window shows first: when it opens, and when another library took the place of the one that it knew. */
import { call, listening, type Overview } from '../ipc';
import { speak } from '../messages';
import { reading } from './article.svelte';
import { collections } from './collections.svelte';
import { layout } from './layout.svelte';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { notes } from './notes.svelte';
import { refresh } from './refresh.svelte';
import { settings } from './settings.svelte';
import { undo } from './undo.svelte';
import { views } from './views.svelte';

/** Everything is asked for at once. */
export async function start(): Promise<void> {
  let first: Promise<void> | undefined;
  // No word is shown in one language first and in another then, and no list in an order that is not its own.
  const known = Promise.all([settings.load().then(() => speak(settings.value.language)), views.load()]);
  const there = await library.load(known, (overview) => (first = showFirst(overview)));
  if (!there) return;
  void hear();
  void collections.load();
  await first;
}

/** Its rows are on their way while the window is drawn. */
async function showFirst({ first_run, counts, feeds }: Overview): Promise<void> {
  // Whoever was quick has chosen a list already.
  if (first_run || list.generation !== 0) return;
  // With nothing unread, everything there is makes a better first sight than an empty list.
  await list.show(counts.smart.unread > 0 || feeds.length === 0 ? { kind: 'unread' } : { kind: 'all' });
  const taken = document.activeElement;
  if (!taken || taken === document.body) layout.focus('list', true);
}

/** Tells the core that the window listens, once it does: what changed meanwhile is told, and what the command line asked for begins. */
async function hear(): Promise<void> {
  await listening();
  try {
    const before = refresh.progress;
    const progress = await call('hear');
    // What was heard meanwhile is newer.
    if (progress && refresh.progress === before) refresh.progress = progress;
  } catch (error) {
    console.warn('hear', error);
  }
}

/** Nothing of the former library is shown or undone any more: numbers mean other things now. */
export async function startAnew(): Promise<void> {
  notes.forget();
  reading.close();
  undo.forget();
  library.forget();
  list.knows.forget();
  list.generation = 0;
  await start();
}
