/** What the window shows, stored in the library so that the next start shows it again. */
import { call, type Cursor, type WindowState } from '../ipc';
import { placeOf } from '../list/merge';
import { reading } from './article.svelte';
import { layout } from './layout.svelte';
import { list } from './list.svelte';
import { player } from './player.svelte';
import { SaveQueue } from './save-queue';
import { search } from './search.svelte';
import { settings } from './settings.svelte';

/** Milliseconds without a change before the state is stored. */
const SAVE_DELAY = 500;

const cursorOf = (id: number | null): Cursor | null => {
  const row = list.row(id);
  return row ? placeOf(row) : null;
};

/** Returns what the window shows. */
export function windowState(): WindowState {
  const { place } = list;
  // The start of the list shows what is new.
  const atStart = place === null || (place.offset === 0 && list.indexOf(place.id) <= 0 && !list.above);
  return {
    source: list.source,
    search: list.searching && search.shownQuery !== '' ? search.shownQuery : null,
    top: atStart ? null : cursorOf(place.id),
    above: atStart ? 0 : Math.max(0, Math.round(place.offset / settings.value.text_scale)),
    selected: cursorOf(list.selected),
    article: reading.id,
    article_in_front: layout.visiblePane === 'article',
    player: player.now && { article: player.now.id, url: player.now.url },
  };
}

let saved = '';
/** The state that waits to be stored. */
let waiting: WindowState | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Stores what is shown, after a short delay. Called by the main window whenever any of it changes. */
export function saveWindowState(): void {
  if (list.status !== 'ready') return;
  waiting = windowState();
  clearTimeout(timer);
  timer = setTimeout(() => void storeWindowState(), SAVE_DELAY);
}

/** An older state must not be stored after a newer one. */
const saves = new SaveQueue();

/** Stores at once what is shown now. Resolves when it and earlier states are stored. */
export async function storeWindowState(): Promise<void> {
  clearTimeout(timer);
  const state = list.status === 'ready' ? windowState() : waiting;
  waiting = null;
  const text = JSON.stringify(state);
  if (state !== null && text !== saved) {
    saved = text;
    void saves.enqueue(() => save(state));
  }
  await saves.done;
}

async function save(state: WindowState): Promise<void> {
  try {
    await call('save_window_state', state);
  } catch (error) {
    saved = '';
    console.warn('save_window_state', error);
  }
}

/** Loads what was shown last; `null` if that is unknown, which is no reason not to start. */
export async function loadWindowState(): Promise<WindowState | null> {
  try {
    return await call('window_state');
  } catch (error) {
    console.warn('window_state', error);
    return null;
  }
}
