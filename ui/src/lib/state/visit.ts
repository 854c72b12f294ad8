/** Shows a list, search and article that were shown before. */
import type { SearchOrder, WindowState } from '../ipc';
import { reading } from './article.svelte';
import { collections } from './collections.svelte';
import { layout } from './layout.svelte';
import { library } from './library.svelte';
import { list, sameSource } from './list.svelte';
import { search } from './search.svelte';
import { settings } from './settings.svelte';

/** A place to go back to: a list or search, and the article that was open. */
export type Visit = Omit<WindowState, 'search' | 'player'> & {
  readonly search: { readonly query: string; readonly order: SearchOrder; readonly savedId: number | null } | null;
};

/** Maximum number of further pages of results that are loaded to find a row again. */
const MAX_PAGES = 10;

export function isGone({ source }: Visit): boolean {
  if (source.kind === 'feed') return !library.feedById.has(source.id);
  if (source.kind === 'folder') return !library.folderById.has(source.id);
  return source.kind === 'tag' && !collections.tagById.has(source.id);
}

/** Shows a place. `current` returns false once the user has gone elsewhere. */
export async function show(visit: Visit, current: () => boolean): Promise<void> {
  layout.drawer = false;
  layout.zen = false;
  const opened = visit.article === null ? reading.close() : reading.open(visit.article);
  await showList(visit, current);
  await opened;
  if (!current()) return;
  // The article was deleted in the meantime.
  if (reading.error) reading.close();
  if (layout.onePane) layout.focus(visit.article_in_front && reading.id !== null ? 'article' : 'list');
}

async function showList(visit: Visit, current: () => boolean): Promise<void> {
  const { source, selected } = visit;
  const place = visit.top && { cursor: visit.top, offset: visit.above * settings.value.text_scale };
  const isBehind = sameSource(source, list.source) && (list.searching || list.status === 'ready');
  if (!visit.search) {
    if (isBehind && list.searching) search.restoreList();
    else if (!isBehind) await list.show(source, { place, selected });
    if (current() && selected && list.indexOf(selected.id) >= 0) list.selected = selected.id;
    return;
  }
  if (!isBehind) await list.show(source);
  if (!current()) return;
  await search.again(visit.search);
  const missing = (): boolean => [selected, visit.top].some((cursor) => cursor && list.indexOf(cursor.id) < 0);
  for (let pages = 0; current() && pages < MAX_PAGES && list.more && missing(); pages++) await list.loadMore();
  if (current()) list.restore({ place, selected });
}
