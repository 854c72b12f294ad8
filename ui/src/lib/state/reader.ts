/** Going from article to article, and from list to list. */
import { call, type ArticleRow, type Source } from '../ipc';
import { t } from '../messages';
import { NONE } from '../list/picks';
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
import type { UndoEntry } from './undo.svelte';

/** Opens an article; that marks it read where it is in sight, which can be undone: after what was hid before it, where it was. */
export async function openRow(row: ArticleRow, show = true, hid?: UndoEntry): Promise<void> {
  list.selected = row.id;
  list.picks = NONE;
  list.cursor = null;
  if (layout.turns && show) layout.stage = 'article';
  // Asked for before anything is drawn anew.
  const opened = reading.open(row.id, () => list.row(row.id));
  if (layout.shows) void mark([row], { read: true }, hid);
  else reading.unseen = true;
  await opened;
}

/** What was opened behind the list is in sight. */
export function seen(): void {
  reading.unseen = false;
  const row = list.row(reading.id) ?? (reading.article?.id === reading.id ? reading.article : null);
  if (row) void mark([row], { read: true });
}

/** Shows an article that may be in no list now; one that is in the list is selected there. */
export async function openArticle(id: number): Promise<void> {
  const row = list.row(id);
  if (row) {
    await openRow(row);
  } else {
    if (layout.narrow) layout.stage = 'article';
    await reading.open(id);
  }
  layout.focus('article');
}

/** The list's first or last article; the last as far as the list has come. */
export async function goTo(end: 'first' | 'last'): Promise<void> {
  const row = list.rows.at(end === 'first' ? 0 : -1);
  if (row) await openRow(row, layout.stage === 'article' || layout.zen);
}

export async function go(step: 1 | -1): Promise<void> {
  const row = await list.neighbour(step);
  if (row) await openRow(row, layout.stage === 'article' || layout.zen);
}

/** The next unread article: below, else above, else in the next feed that has one. */
export async function goUnread(step: 1 | -1): Promise<void> {
  const unread = (row: ArticleRow) => !row.read;
  let row = await list.neighbour(step, unread);
  if (!row && step > 0) row = list.rows.find(unread) ?? null;
  if (!row && step > 0 && !list.searching && (list.source.kind === 'feed' || list.source.kind === 'folder')) {
    const next = nextUnreadFeed();
    if (next !== null) {
      await showSource({ kind: 'feed', id: next });
      row = list.rows.find(unread) ?? null;
    }
  }
  if (row) await openRow(row);
}

/** Hides an article and goes on to the next one; one that is hidden is shown again. */
export async function hide(article: Pick<ArticleRow, 'id' | 'title'>): Promise<void> {
  const shown = list.source.kind === 'hidden' && !list.searching;
  const hidden = reading.article?.id === article.id ? !reading.article.hidden : !shown;
  const open = reading.id === article.id;
  const next = list.selected === article.id ? await list.neighbour(1) : null;
  const hid = await setHidden(article, hidden);
  // Whoever was quick is elsewhere by now.
  if (!hid || !open || reading.id !== article.id) return;
  if (next) await openRow(next, layout.stage === 'article', hid);
  else reading.close();
}

/** The next feed of the sidebar, or the one before. */
export async function goFeed(step: 1 | -1): Promise<void> {
  const feeds = library.tree.flatMap((row) => (row.kind === 'feed' ? [row.feed.id] : []));
  const { source } = list;
  const here = source.kind === 'feed' ? feeds.indexOf(source.id) : -1;
  const id = here < 0 ? feeds.at(step > 0 ? 0 : -1) : feeds[here + step];
  if (id !== undefined) await showSource({ kind: 'feed', id });
}

function nextUnreadFeed(): number | null {
  const feeds = library.tree.filter((row) => row.kind === 'feed');
  const source = list.source;
  const here = feeds.findIndex((row) => row.kind === 'feed' && source.kind === 'feed' && row.feed.id === source.id);
  for (let i = 1; i <= feeds.length; i++) {
    const row = feeds[(here + i + feeds.length) % feeds.length];
    if (row && row.kind === 'feed' && row.unread > 0) return row.feed.id;
  }
  return null;
}

/** Shows a list. The same one again is left as it is: what was read there stays in sight. */
export async function showSource(source: Source): Promise<void> {
  layout.drawer = false;
  layout.zen = false;
  layout.stage = 'list';
  if (sameSource(source, list.source) && list.searching) return search.leave();
  if (sameSource(source, list.source) && list.status === 'ready') return;
  reading.close();
  await list.show(source);
}

/** In the system's browser; `behind` leaves the focus here, as far as the system lets it. */
export async function openInBrowser(behind = false): Promise<void> {
  const { article } = reading;
  if (!article || reading.loading) return;
  if (!article.url) {
    toasts.show(t('toast.no_address'));
    return;
  }
  try {
    await call(behind ? 'open_in_background' : 'open_in_browser', { id: article.id });
  } catch (error) {
    toasts.error(error);
  }
}

/** The article alone; the chosen one, or the first where none is open. */
export async function readOnly(): Promise<void> {
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
