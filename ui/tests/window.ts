/** The state of the main window over a library of the test's own, with two tags and a saved search, but without components. */
import { vi } from 'vitest';
import type { ArticlePage } from '../src/lib/ipc';
import { setCatalogue } from '../src/lib/messages/catalogue.svelte';
import en from '../src/lib/messages/en.json';
import { reading } from '../src/lib/state/article.svelte';
import { collections } from '../src/lib/state/collections.svelte';
import { listenToCore } from '../src/lib/state/events';
import { library } from '../src/lib/state/library.svelte';
import { list } from '../src/lib/state/list.svelte';
import { undo } from '../src/lib/state/undo.svelte';
import type { TestCore } from './core';

async function fill(core: TestCore): Promise<void> {
  const all = { source: { kind: 'all' }, unread_only: false, order: 'newest', after: null, before: null, limit: 8 };
  const { rows } = (await core.call('articles', all)) as ArticlePage;
  const tag = (name: string, from: number) =>
    core.call('tag_articles', { ids: rows.slice(from, from + 4).map(({ id }) => id), name, on: true });
  await tag('Boats', 0);
  await tag('Grain', 4);
  await core.call('save_search', { name: 'Wheat', query: 'wheat' });
}

/** Shows the unread articles. Returns a function that ends the test. */
export async function openWindow(core: TestCore): Promise<() => Promise<void>> {
  setCatalogue(en, 'en');
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  list.pendingMarks.forget();
  undo.forget();
  reading.close();
  const stop = listenToCore();
  await core.call('ready');
  await fill(core);
  void library.load();
  void collections.load();
  void list.show({ kind: 'unread' });
  await core.settle();
  return async () => {
    stop();
    await core.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
}
