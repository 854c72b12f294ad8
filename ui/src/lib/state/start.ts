/** What the window shows first: when it opens, and when another library took the place of the one that it knew. */
import { listening } from '../ipc';
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

export async function start(): Promise<void> {
  // The first overview starts what the command line asked for: its events are to be heard.
  await Promise.all([settings.load(), listening()]);
  // No word is shown in one language first and in another then.
  const [overview] = await Promise.all([library.load(speak(settings.value.language)), views.load()]);
  if (!overview) return;
  void collections.load();
  if (overview.refresh) refresh.progress = overview.refresh;
  // Whoever was quick has chosen a list already.
  if (!overview.first_run && list.generation === 0) {
    // With nothing unread, everything there is makes a better first sight than an empty list.
    await list.show(
      overview.counts.smart.unread > 0 || overview.feeds.length === 0 ? { kind: 'unread' } : { kind: 'all' },
    );
    const taken = document.activeElement;
    if (!taken || taken === document.body) layout.focus('list', true);
  }
}

/** Nothing of the former library is shown or undone any more: numbers mean other things now. */
export async function startAnew(): Promise<void> {
  notes.forget();
  reading.close();
  undo.forget();
  library.forget();
  list.generation = 0;
  await start();
}
