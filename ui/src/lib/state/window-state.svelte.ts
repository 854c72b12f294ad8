/** What the window shows, stored in the library so that the next start shows it again. */
import { isPlayable } from '../article/article-page';
import { call, type Cursor, type Overview, type WindowState } from '../ipc';
import { placeOf } from '../list/merge';
import { reading } from './article.svelte';
import { collections } from './collections.svelte';
import { layout } from './layout.svelte';
import { list } from './list.svelte';
import { player } from './player.svelte';
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
let timer: ReturnType<typeof setTimeout> | undefined;

/** Stores what is shown, soon. Called by the main window whenever something of it changes. */
export function saveWindowState(): void {
  if (list.status !== 'ready') return;
  const state = windowState();
  clearTimeout(timer);
  timer = setTimeout(() => {
    const text = JSON.stringify(state);
    if (text === saved) return;
    saved = text;
    call('save_window_state', state).catch((error: unknown) => console.warn('save_window_state', error));
  }, SAVE_DELAY);
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

/** Returns whether there is still something to show of what was shown last. */
function exists({ source, article }: WindowState, { feeds, folders, counts }: Overview): boolean {
  if (source.kind === 'feed') return feeds.some(({ id }) => id === source.id);
  if (source.kind === 'folder') return folders.some(({ id }) => id === source.id);
  if (source.kind === 'tag') return collections.tagById.has(source.id);
  return source.kind !== 'unread' || counts.smart.unread > 0 || article !== null;
}

/** Shows what was in the player last, paused at its place. Nothing of it is requested before the user plays it. */
export async function restorePlayer(state: WindowState | null): Promise<void> {
  const last = state?.player;
  if (!last || player.now) return;
  try {
    const article = await call('show_text', { id: last.article, full: false });
    const item = article.enclosures.find(({ url }) => url === last.url);
    if (item && isPlayable(item) && !player.now) player.rest(article, item);
  } catch (error) {
    // The article was deleted.
    console.warn('show_text', error);
  }
}

/** Shows the list, row and article that were shown last. Returns false if the list no longer exists or is empty. */
export async function restoreWindow(state: WindowState | null, overview: Overview): Promise<boolean> {
  if (!state || !exists(state, overview)) return false;
  // The article is requested together with the list.
  const opened = state.article === null ? Promise.resolve() : reading.open(state.article);
  const place = state.top && { cursor: state.top, offset: state.above * settings.value.text_scale };
  await list.show(state.source, { place, selected: state.selected });
  if (state.search !== null) search.show(state.search, false);
  await opened;
  // The article was deleted meanwhile.
  if (reading.error) reading.close();
  else if (state.article_in_front && layout.onePane && reading.id !== null) layout.visiblePane = 'article';
  return true;
}
