/** Restores what the window showed last. */
import { isPlayable } from '../article/article-page';
import { call, type Overview, type WindowState } from '../ipc';
import { reading } from './article.svelte';
import { collections } from './collections.svelte';
import { layout } from './layout.svelte';
import { list } from './list.svelte';
import { showSearch } from './navigation';
import { player } from './player.svelte';
import { settings } from './settings.svelte';

/** Returns whether there is still something to show of what was shown last. */
function exists({ source, article }: WindowState, { feeds, folders, counts }: Overview): boolean {
  if (source.kind === 'feed') return feeds.some(({ id }) => id === source.id);
  if (source.kind === 'folder') return folders.some(({ id }) => id === source.id);
  if (source.kind === 'tag') return collections.tagById.has(source.id);
  return source.kind !== 'unread' || counts.smart.unread > 0 || article !== null;
}

/** Shows the item that was in the player last, paused where it was. Its file is requested only when the user plays it. */
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
  // A window that starts hidden has no height yet, in which every selected row would be out of sight.
  const shown = list.show(state.source, { place, selected: state.selected, atStart: place === null });
  const isShown = list.watch();
  await shown;
  // The user has chosen another list in the meantime.
  if (!isShown()) return true;
  if (state.search !== null) showSearch(state.search, false);
  await opened;
  // The article was deleted in the meantime.
  if (reading.error) reading.close();
  else if (state.article_in_front && layout.onePane && reading.id !== null) layout.visiblePane = 'article';
  return true;
}
