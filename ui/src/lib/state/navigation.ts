/** Navigation between articles and lists. */
import { call, type ArticleRow, type Cursor, type SavedSearch, type Source } from '../ipc';
import { t } from '../messages';
import { placeOf } from '../list/merge';
import { NONE } from '../list/selection';
import { reading } from './article.svelte';
import { setHidden } from './collections.svelte';
import { copyText } from './feeds';
import { layout } from './layout.svelte';
import { library } from './library.svelte';
import { list, sameSource } from './list.svelte';
import { mark } from './marks';
import { refresh } from './refresh.svelte';
import { search } from './search.svelte';
import { toasts } from './toasts.svelte';
import { undo, type UndoEntry } from './undo.svelte';
import { visited } from './visited.svelte';
import { isByDate, views } from './views.svelte';

/** Opens an article. If it is visible, marks it as read, as an undo step below `hid` and below the one that a message offers to undo. */
export async function openRow(row: ArticleRow, show = true, hid?: UndoEntry): Promise<void> {
  list.selected = row.id;
  list.picks = NONE;
  list.cursor = null;
  list.keepsPosition &&= list.searching;
  if (layout.onePane && show) layout.visiblePane = 'article';
  // Send the request before anything is redrawn.
  const opened = reading.open(row.id, () => list.row(row.id));
  if (layout.articleVisible) void mark([row], { read: true }, hid ?? undo.offered);
  else reading.unseen = true;
  await opened;
}

/** Called when an article opened behind the list becomes visible. */
export function seen(): void {
  reading.unseen = false;
  const row = list.row(reading.id) ?? (reading.article?.id === reading.id ? reading.article : null);
  if (row) void mark([row], { read: true }, undo.offered);
}

/** Opens an article. If it is not in the current list, shows the list of its feed, so that the keys continue from the open article. */
export async function openArticle(id: number): Promise<void> {
  const row = list.row(id);
  if (row) {
    await openRow(row);
  } else {
    visited.leave();
    if (layout.narrow) layout.visiblePane = 'article';
    await reading.open(id);
    if (reading.id === id) seen();
    const { showFeedAt } = await import('./feed-list');
    // The user may have gone on while that was loaded.
    if (reading.article?.id === id) await showFeedAt(reading.article);
  }
  layout.focus('article');
}

/** Whether the list shows this feed. */
export const isFeedShown = (id: number): boolean => !list.searching && sameSource(list.source, { kind: 'feed', id });

/** Shows an article in the list of its feed. */
export async function goToFeed(article: Pick<ArticleRow, 'id' | 'feed_id' | 'sort_at'>): Promise<void> {
  visited.leave();
  if (reading.id !== article.id) reading.close();
  await (await import('./feed-list')).showFeedAt(article);
  layout.focus('list');
}

let moves: Promise<unknown> = Promise.resolve();

/**
 * Runs moves in the list one after the other: each starts where the previous one ended, once the rows are loaded, since keys may be pressed
 * faster than that. Does nothing if another list is shown by then. Returns when the article is open; the next move does not wait for that.
 */
async function inTurn(move: () => Promise<Opening>): Promise<void> {
  const { source } = list;
  const turn = moves.then(async () => ((await list.loaded()) && sameSource(source, list.source) ? move() : null));
  moves = turn.catch(() => {});
  await (
    await turn
  )?.opened;
}

/** An article that opens: in an object, because a promise of a promise is one. */
type Opening = { readonly opened: Promise<void> } | null;

const opening = (row: ArticleRow | null | undefined, show?: boolean): Opening =>
  row ? { opened: openRow(row, show) } : null;

/** Goes to the first or last article of the list, or to the last loaded one if the list is not sorted by date. */
export const goTo = (end: 'first' | 'last'): Promise<void> => inTurn(() => toEnd(end));

async function toEnd(end: 'first' | 'last'): Promise<Opening> {
  try {
    const isShown = end === 'first' ? await showBeginning() : await showEnd();
    // The user has gone to another list.
    if (!isShown) return null;
  } catch (error) {
    toasts.error(error);
    return null;
  }
  return opening(list.rows.at(end === 'first' ? 0 : -1), layout.visiblePane === 'article' || layout.zen);
}

/** Waits for a list that was just requested. Returns false if another one is shown by then. */
async function isLoaded(loading: Promise<void>): Promise<boolean> {
  const isShown = list.watch();
  await loading;
  return isShown();
}

/** Shows the first page of a list. Returns false if another list is shown instead. */
async function showBeginning(): Promise<boolean> {
  if (!list.above) return true;
  beginRiverAt(null);
  return isLoaded(list.show(list.source));
}

/** Shows the last page of a list, without the pages before it. Returns false if another list is shown instead. */
async function showEnd(): Promise<boolean> {
  const { source, view } = list;
  if (!list.more || list.searching || !isByDate(view.order)) return true;
  const isShown = list.watch();
  const sort_at = view.order === 'oldest' ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
  const { rows } = await call('articles', list.query({ before: { sort_at, id: 0, feed_id: 0, length: 0 } }));
  const [first] = rows;
  const last = rows.at(-1);
  if (!isShown()) return false;
  if (!first || !last) return true;
  beginRiverAt(placeOf(first));
  const end = { from: placeOf(first), place: { cursor: placeOf(last), offset: 0 }, selected: placeOf(last) };
  return isLoaded(list.show(source, end));
}

/** A list that continues where the user left off is loaded from its saved position. */
function beginRiverAt(place: Cursor | null): void {
  if (!list.view.river) return;
  // Else the list saves the place of its top row again.
  list.place = null;
  void views.change(list.source, { place });
}

/**
 * Loads the list again after its view has changed. In a list by date that does not continue where the user left off, the
 * selected row stays selected.
 */
export function reloadList(): Promise<void> {
  const row = list.row(list.selected);
  if (!row) return list.show(list.source);
  return list.show(list.source, { place: { cursor: placeOf(row), offset: 0 }, selected: placeOf(row) });
}

/** Goes to the next or previous article; without a current one, to the first or last. */
export const go = (step: 1 | -1): Promise<void> =>
  inTurn(async () => {
    if (step < 0 && !list.hasCurrent) return toEnd('last');
    return opening(await list.neighbour(step), layout.visiblePane === 'article' || layout.zen);
  });

/** Goes to the next unread article: below, else above, else in the next feed with unread articles. */
export const goUnread = (step: 1 | -1): Promise<void> => inTurn(() => toUnread(step));

async function toUnread(step: 1 | -1): Promise<Opening> {
  const unread = (row: ArticleRow) => !row.read;
  // Without a current row, the last loaded one: a list that was read may be long.
  const fromEnd = step < 0 && !list.hasCurrent;
  const isShown = list.watch();
  let row = fromEnd ? (list.rows.findLast(unread) ?? null) : await list.neighbour(step, unread);
  // The user has gone to another list.
  if (!isShown()) return null;
  if (!row && step > 0) row = list.rows.find(unread) ?? null;
  if (!row && step > 0 && !list.searching && (list.source.kind === 'feed' || list.source.kind === 'folder')) {
    const next = nextUnreadFeed();
    if (next !== null) {
      if (!(await isLoaded(showSource({ kind: 'feed', id: next })))) return null;
      row = list.rows.find(unread) ?? null;
    }
  }
  return opening(row);
}

/** Hides an article and goes to the next one, or unhides it. */
export async function hide(article: Pick<ArticleRow, 'id' | 'title'>): Promise<void> {
  const shown = list.source.kind === 'hidden' && !list.searching;
  const hidden = reading.article?.id === article.id ? !reading.article.hidden : !shown;
  const open = reading.id === article.id;
  const next = list.selected === article.id ? await list.neighbour(1) : null;
  const hid = await setHidden(article, hidden, () => {
    const row = open ? list.row(article.id) : undefined;
    if (row) void openRow(row, layout.visiblePane === 'article');
  });
  // The user has moved on.
  if (!hid || !open || reading.id !== article.id) return;
  if (next) await openRow(next, layout.visiblePane === 'article', hid);
  else reading.close();
}

/** Goes to the next or previous feed of the sidebar. */
export async function goFeed(step: 1 | -1): Promise<void> {
  const feeds = library.tree.flatMap((row) => (row.kind === 'feed' ? [row.feed.id] : []));
  const { source } = list;
  const here = source.kind === 'feed' ? feeds.indexOf(source.id) : -1;
  const id = here < 0 ? feeds.at(step > 0 ? 0 : -1) : feeds[here + step];
  if (id !== undefined) await showSource({ kind: 'feed', id });
}

/** Returns the next feed with unread articles below the shown feed, or below the feeds of the shown folder; then from the top. */
function nextUnreadFeed(): number | null {
  const { tree } = library;
  const { source } = list;
  const here = tree.findIndex((row) =>
    row.kind === 'feed'
      ? source.kind === 'feed' && row.feed.id === source.id
      : source.kind === 'folder' && row.folder.id === source.id,
  );
  const found = [...tree.slice(here + 1), ...tree.slice(0, here + 1)].find(
    (row) => row.kind === 'feed' && row.unread > 0,
  );
  return found?.kind === 'feed' ? found.feed.id : null;
}

/** Shows a list. If it is shown already, it is not reloaded, so read articles stay visible. */
export async function showSource(source: Source): Promise<void> {
  const isShown = sameSource(source, list.source) && (list.searching || list.status === 'ready');
  if (!isShown) visited.leave();
  layout.drawer = false;
  layout.zen = false;
  layout.visiblePane = 'list';
  if (isShown) return list.searching ? leaveSearch() : undefined;
  reading.close();
  await list.show(source);
}

/** Opens the search field, or focuses it. */
export function openSearch(): void {
  if (!list.searching) visited.leave();
  search.open();
}

/** Shows the results of a saved search. */
export function openSavedSearch(saved: SavedSearch): void {
  visited.leave();
  search.openSaved(saved);
}

/** Shows the results of a query; focuses the field if `typing`. */
export function showSearch(query: string, typing = true): void {
  visited.leave();
  search.show(query, typing);
}

/** Shows the list behind the search. */
export function leaveSearch(): void {
  if (search.shownQuery === '') visited.returned();
  else visited.leave();
  search.leave();
}

/** Goes one step back: clears the field, then leaves the search. */
export function escapeSearch(): void {
  if (search.text !== '') search.empty();
  else leaveSearch();
}

/** Opens the article in the system's browser. `behind` keeps the focus here if the system allows it. */
export async function openInBrowser(behind = false): Promise<void> {
  const { article } = reading;
  if (article && !reading.loading) await (await import('./open-pages')).openPages([article], behind);
}

/** Opens the web page of a row in the browser, without opening the article. */
export const openRowInBrowser = async (row: ArticleRow, behind = false): Promise<void> =>
  (await import('./open-pages')).openPages([row], behind);

/** Shows an article in a window of its own, or prints it. */
export const showInWindow = async (id: number, print = false): Promise<void> =>
  (await import('./article-window')).openArticleWindow(id, print);

export async function copyRowLink({ id }: ArticleRow): Promise<void> {
  try {
    const [address] = await call('article_addresses', { ids: [id] });
    if (address) await copyText(address);
    else toasts.show(t('toast.no_address'));
  } catch (error) {
    toasts.error(error);
  }
}

/** Shows the article alone; opens the selected or first one if none is open. */
export async function openZen(): Promise<void> {
  if (!layout.zen && reading.id === null) {
    const row = list.row(list.selected) ?? list.rows[0];
    if (!row) return;
    await openRow(row);
  }
  layout.toggleZen();
}

export async function copyLink(): Promise<void> {
  const { article } = reading;
  if (reading.loading) return;
  if (article?.url) await copyText(article.url);
  else if (article) toasts.show(t('toast.no_address'));
}

export function refreshView(): void {
  const { source } = list;
  if (source.kind === 'feed' || source.kind === 'folder') void refresh.start(source);
  else void refresh.start({ kind: 'all' });
}
