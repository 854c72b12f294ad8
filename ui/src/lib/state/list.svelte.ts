/** The article list: its rows, their requests, and the selection. */
// long: one state, whose requests, rows and selection depend on each other.
import {
  asIpcError,
  call,
  type ArticlePage as Page,
  type ArticleRow,
  type Cursor,
  type IpcError,
  type ListQuery,
  type Source,
} from '../ipc';
import { PendingMarks } from '../list/pending-marks';
import { compare, justBefore, merge, placeOf, putBack, weave, type Merged } from '../list/merge';
import { beginningOf, type Place, type Restored } from '../list/restored';
import { RowIndex } from '../list/row-index';
import { NONE, toggled, type Picks } from '../list/selection';
import { feedHeaders } from './feed-header.svelte';
import { settings } from './settings.svelte';
import { isByDate, views } from './views.svelte';

/** Number of rows loaded at once. */
export const PAGE = 200;
/** Maximum number of pages loaded while looking for new articles. */
const MAX_NEW_PAGES = 10;
/** Milliseconds without scrolling before the position of a river is saved. */
const SAVE_DELAY = 1000;

export type { Page };
type Change = Partial<Pick<ArticleRow, 'read' | 'starred'>>;

export function sameSource(a: Source, b: Source): boolean {
  return a.kind === b.kind && ('id' in a ? a.id : 0) === ('id' in b ? b.id : 0);
}

class ArticleList {
  source = $state.raw<Source>({ kind: 'unread' });
  rows = $state.raw<ArticleRow[]>([]);
  /** There are more rows below the last one. */
  more = $state(false);
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  error = $state.raw<IpcError | null>(null);
  loadingMore = $state(false);
  selected = $state<number | null>(null);
  /** Rows selected for a bulk action. */
  picks = $state.raw<Picks>(NONE);
  /** Keyboard position while it is another row than the open one. */
  cursor = $state<number | null>(null);
  /** Rows added above the visible part and not seen yet. */
  fresh = $state.raw<ReadonlySet<number>>(new Set());
  /** There are rows above the first one: the river was opened at its saved position. */
  above = $state(false);
  /** Incremented when another list is shown, so that the view scrolls to the top. */
  generation = $state(0);
  /** When the list was loaded (see `MarkAll.received_before`). */
  seenAt = Date.now();

  /** The rows are search results; the list of `source` is kept behind them. */
  searching = $state(false);
  /** Scroll position reported by the view. */
  place = $state.raw<Place | null>(null);
  /** Initial scroll position, if not the top. */
  startAt: Place | null = null;
  /** The river is shown at an article, and keeps its saved position until another article is opened. */
  keepsPosition = false;
  /** Called before other rows are shown. */
  beforeChange = (): void => {};

  /** The list behind search results. */
  private behind: Pick<ArticleList, 'rows' | 'more' | 'status' | 'selected' | 'fresh' | 'place' | 'above'> | null =
    null;
  private loadFurther: (() => Promise<Page>) | null = null;
  private request = 0;
  /** Functions that wait until the rows are loaded. */
  private readonly waiting: (() => void)[] = [];
  private readonly index = new RowIndex();
  private pendingPage: Promise<void> | null = null;
  private pendingAbove: Promise<void> | null = null;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;

  /** Counts the beginnings and ends of `markMany`. */
  private marksMany = 0;
  private markingMany: Promise<unknown> = Promise.resolve();

  /** Marks that a page still loading may not contain. */
  readonly pendingMarks = new PendingMarks<Change>();

  /** Order, grouping and position of the list. */
  readonly view = $derived(views.of(this.source));

  readonly unreadOnly = $derived(
    this.source.kind === 'unread' ||
      (!['starred', 'noted', 'hidden', 'listening', 'downloads'].includes(this.source.kind) &&
        settings.value.unread_only),
  );

  indexOf(id: number | null): number {
    return id === null ? -1 : this.index.of(this.rows, id);
  }

  row(id: number | null): ArticleRow | undefined {
    return this.rows[this.indexOf(id)];
  }

  /** There is a current row, from which the keys for the next and the previous row continue. */
  get hasCurrent(): boolean {
    return this.indexOf(this.cursor ?? this.selected) >= 0;
  }

  /**
   * Shows another list, or reloads the same one; `restored`: at the row that was at the top edge, or in a river at the saved
   * position unless it `keepsPosition`.
   */
  async show(source: Source, restored: Restored | null = null, keepsPosition = false): Promise<void> {
    void this.savePosition();
    this.keepsPosition = keepsPosition;
    this.searching = false;
    this.behind = null;
    this.loadFurther = null;
    this.source = source;
    this.begin([], false);
    const { request } = this;
    this.status = 'loading';
    const seenAt = Date.now();
    try {
      const { place, order } = this.view;
      const river = this.view.river && !keepsPosition;
      const left = river ? place : isByDate(order) ? beginningOf(restored, order === 'oldest') : null;
      const selected = restored ? this.selectedBefore(restored.selected) : null;
      const head = source.kind === 'feed' ? feedHeaders.load(source.id) : null;
      let page = await this.page(left ? { after: justBefore(left, order === 'oldest') } : {});
      if (request !== this.request) return;
      const goesOnAbove = left !== null && page.rows.length > 0;
      // Nothing is left at or after the saved position.
      if (left && !goesOnAbove) page = await this.page({});
      const row = await selected;
      // Rows that are drawn before it would be moved down by it.
      await head;
      if (request !== this.request) return;
      // Above the rows of a river, others would be missing between it and them.
      const isApart = row && left && goesOnAbove && compare(row, left, order === 'oldest') < 0;
      this.rows = row && !isApart ? merge(page.rows, [row], order === 'oldest', page.more).rows : page.rows;
      this.more = page.more;
      this.above = goesOnAbove;
      this.seenAt = seenAt;
      this.status = 'ready';
      if (restored && !river) this.restore(restored);
    } catch (error) {
      if (request !== this.request) return;
      this.error = asIpcError(error);
      this.status = 'failed';
    } finally {
      if (request === this.request) this.release();
    }
  }

  /** Loads the list again, or the one that takes its place, at its scroll position and with the selected row. */
  reload(source = this.source): Promise<void> {
    const { place } = this;
    const [top, row] = [this.row(place?.id ?? null), this.row(this.selected)];
    const atStart = !this.above && place?.offset === 0 && this.indexOf(place.id) === 0;
    return this.show(source, {
      place: top && place && !atStart ? { cursor: placeOf(top), offset: place.offset } : null,
      selected: row ? placeOf(row) : null,
    });
  }

  /** Waits until the rows of the list are loaded. Returns false if another list is shown instead. */
  async loaded(): Promise<boolean> {
    const { request } = this;
    if (this.status === 'loading') await new Promise<void>((resolve) => this.waiting.push(resolve));
    return request === this.request;
  }

  /** Returns a function that returns whether the same list is still shown, and was not loaded again. */
  watch(): () => boolean {
    const { request } = this;
    return () => request === this.request;
  }

  private release(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Returns the row that was selected: one that was read is no longer in a list of unread articles. */
  private async selectedBefore(cursor: Cursor | null): Promise<ArticleRow | null> {
    const { order } = this.view;
    if (!cursor || !isByDate(order)) return null;
    const after = justBefore(cursor, order === 'oldest');
    const source: Source = this.source.kind === 'unread' ? { kind: 'all' } : this.source;
    const [row] = (await this.page({ source, unread_only: false, after, limit: 1 })).rows;
    return row?.id === cursor.id ? row : null;
  }

  /** Restores the position and the selection once the rows are loaded. */
  restore({ place, selected, atStart = false }: Restored): void {
    if (selected && this.indexOf(selected.id) >= 0) this.selected = selected.id;
    const id = place?.cursor.id ?? (atStart && !this.above ? this.rows[0]?.id : undefined);
    if (id === undefined || this.indexOf(id) < 0) return;
    this.startAt = this.place = { id, offset: place?.offset ?? 0 };
    this.generation++;
  }

  /** Shows a list from its beginning and drops pending requests of the former one. */
  private begin(rows: ArticleRow[], more: boolean): void {
    this.beforeChange();
    this.request++;
    this.release();
    this.rows = this.pendingMarks.applyTo(rows);
    this.more = more;
    this.selected = null;
    this.picks = NONE;
    this.cursor = null;
    this.above = false;
    this.fresh = new Set();
    this.status = 'ready';
    this.error = null;
    this.pendingPage = null;
    this.pendingAbove = null;
    this.loadingMore = false;
    this.startAt = null;
    this.generation++;
  }

  /** Sets the list aside for search results. */
  beginSearch(): void {
    void this.savePosition();
    const { rows, more, status, selected, fresh, place, above } = this;
    this.behind = { rows, more, status, selected, fresh, place, above };
    this.searching = true;
    this.showFound({ rows: [], more: false });
  }

  /** Shows search results; `further` loads more of them. */
  showFound(page: Page, loadFurther: (() => Promise<Page>) | null = null): void {
    this.begin(page.rows, page.more);
    this.loadFurther = loadFurther;
  }

  /** Restores the list from before the search at its position. */
  endSearch(): void {
    const { behind } = this;
    if (!behind || behind.status !== 'ready') return void this.show(this.source);
    this.searching = false;
    this.behind = null;
    this.loadFurther = null;
    this.begin(behind.rows, behind.more);
    this.startAt = behind.place;
    this.above = behind.above;
    this.selected = behind.selected;
    this.fresh = behind.fresh;
    void this.catchUp(true);
  }

  /** The view is at the first row, and no other row is selected. */
  get atTop(): boolean {
    return this.selected === null && (this.place === null || this.indexOf(this.place.id) <= 0);
  }

  loadMore(): Promise<void> {
    if (!this.more || this.status !== 'ready') return Promise.resolve();
    if (this.pendingPage) return this.pendingPage;
    const page = this.nextPage().finally(() => {
      // It may be that of another list by now.
      if (this.pendingPage === page) this.pendingPage = null;
    });
    return (this.pendingPage = page);
  }

  private async nextPage(): Promise<void> {
    const request = this.request;
    const last = this.rows.at(-1);
    if (!last) return;
    this.loadingMore = true;
    try {
      const { loadFurther } = this;
      const page = loadFurther ? await loadFurther() : await this.page({ after: placeOf(last) });
      if (request !== this.request) return;
      const known = page.rows.filter((row) => this.indexOf(row.id) < 0);
      this.rows = this.rows.concat(known);
      this.more = page.more;
      this.error = null;
    } catch (error) {
      // The end of the list shows the error and a retry button.
      if (request === this.request) this.error = asIpcError(error);
    } finally {
      if (request === this.request) this.loadingMore = false;
    }
  }

  /** Loads rows above the first one. */
  loadAbove(): Promise<void> {
    if (!this.above || this.status !== 'ready') return Promise.resolve();
    if (this.pendingAbove) return this.pendingAbove;
    const page = this.pageAbove().finally(() => {
      if (this.pendingAbove === page) this.pendingAbove = null;
    });
    return (this.pendingAbove = page);
  }

  private async pageAbove(): Promise<void> {
    const first = this.rows[0];
    const { request } = this;
    if (!first) return;
    try {
      const page = await this.page({ before: placeOf(first) });
      if (request !== this.request) return;
      this.rows = [...page.rows.filter((row) => this.indexOf(row.id) < 0), ...this.rows];
      this.above = page.more;
    } catch (error) {
      // Scrolling further tries again.
      console.warn('what is above', error);
    }
  }

  /** Saves the position of a river. */
  async savePosition(): Promise<void> {
    clearTimeout(this.saveTimer);
    const row = this.row(this.place?.id ?? null);
    if (!row || !this.view.river || this.keepsPosition || this.searching) return;
    const place = placeOf(row);
    if (this.view.place?.id !== place.id) await views.change(this.source, { place });
  }

  /** Called when the view has scrolled. */
  onScrolled(place: Place | null): void {
    this.place = place;
    if (!this.view.river || this.searching) return;
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => void this.savePosition(), SAVE_DELAY);
  }

  /** Loads new articles, and marks, without moving or removing visible rows. `wholly`: the marks of all rows, not only of the first ones. */
  async catchUp(wholly = false): Promise<void> {
    if (this.status === 'ready' && !this.searching) await this.pendingMarks.during(() => this.lookForNew(wholly));
  }

  private async lookForNew(wholly: boolean): Promise<void> {
    const request = this.request;
    const most = MAX_NEW_PAGES + (wholly ? Math.ceil(this.rows.length / PAGE) : 0);
    const seenAt = Date.now();
    const found: ArticleRow[] = [];
    let more = true;
    try {
      for (let pages = 0; more && pages < most; pages++) {
        const last = found.at(-1);
        const page = await this.page({ after: last ? placeOf(last) : this.beginning });
        if (request !== this.request) return;
        found.push(...page.rows);
        more = page.more;
        const isEnough = wholly ? this.reachesEnd(page.rows, found.length) : this.reachesKnown(page.rows, found.length);
        if (this.rows.length === 0 || isEnough) break;
      }
    } catch (error) {
      console.warn('looking for what is new', error);
      return;
    }
    const wasEmpty = this.rows.length === 0;
    const { rows, added } = this.merged(this.withMissingRead(found, more), this.pendingMarks.applyTo(found), this.more);
    if (wasEmpty) this.more = more;
    this.rows = rows;
    if (added.length === 0 || wasEmpty) {
      if (this.fresh.size === 0) this.seenAt = seenAt;
    } else this.fresh = new Set([...this.fresh, ...added.map((row) => row.id)]);
  }

  /** Called at the top of the list: all new rows have been seen. */
  markFreshSeen(): void {
    if (this.fresh.size === 0) return;
    this.fresh = new Set();
    this.seenAt = Date.now();
  }

  /** Shows another list in place of one that is gone. If search results are shown, they stay, and the new list is the one behind them. */
  replace(source: Source): void {
    if (!this.behind) return void this.show(source);
    this.source = source;
    this.behind.status = 'loading';
  }

  /** Removes rows of feeds that no longer exist. */
  retainFeeds(there: ReadonlyMap<number, unknown>): void {
    const retained = (rows: ArticleRow[]) =>
      rows.some((row) => !there.has(row.feed_id)) ? rows.filter((row) => there.has(row.feed_id)) : rows;
    this.rows = retained(this.rows);
    if (this.picked().length < this.picks.ids.size) this.picks = NONE;
    if (this.behind) this.behind.rows = retained(this.behind.rows);
  }

  /** Returns the selected rows in list order. */
  picked(): ArticleRow[] {
    return this.rows.filter((row) => this.picks.ids.has(row.id));
  }

  /** Removes an article. The returned function restores it in whatever list is shown then. */
  without(id: number): () => void {
    const { source, generation } = this;
    const index = this.indexOf(id);
    const row = this.rows[index];
    const found = this.searching ? row : undefined;
    const listed = this.behind ? this.behind.rows.find((row) => row.id === id) : row;
    this.rows = this.rows.filter((row) => row.id !== id);
    if (this.selected === id) this.selected = null;
    if (this.picks.ids.has(id)) this.picks = toggled(this.picks, id);
    if (this.behind) this.behind.rows = this.behind.rows.filter((row) => row.id !== id);
    return () => {
      if (found && generation === this.generation) this.rows = this.rows.toSpliced(index, 0, found);
      if (sameSource(source, this.source)) this.putBack(listed);
      // A hidden article is in no other list.
      else if (source.kind === 'hidden' || this.source.kind === 'hidden') this.without(id);
      else void this.catchUp();
    };
  }

  /** Removes and deselects articles. The returned function restores them in their list; others load them again. */
  withoutMany(ids: readonly number[]): () => void {
    const { rows, generation } = this;
    const removed = new Set(ids);
    this.rows = rows.filter((row) => !removed.has(row.id));
    if (this.selected !== null && removed.has(this.selected)) this.selected = null;
    if (this.behind) this.behind.rows = this.behind.rows.filter((row) => !removed.has(row.id));
    this.picks = NONE;
    this.cursor = null;
    return () => {
      if (generation !== this.generation) {
        // A hidden article is in no other list.
        if (this.source.kind === 'hidden') return void this.withoutMany(ids);
        return void this.catchUp();
      }
      this.rows = putBack(this.rows, rows, removed);
    };
  }

  /** Cursor before the first row; `null` for the start of the list. */
  private get beginning(): Cursor | null {
    const first = this.rows[0];
    return this.above && first ? justBefore(placeOf(first), this.view.order === 'oldest') : null;
  }

  private putBack(row: ArticleRow | undefined): void {
    const into = this.behind ?? this;
    if (row && isByDate(this.view.order)) into.rows = this.merged(into.rows, [row], into.more).rows;
    // Only the core knows the position in this order.
    else if (row) void this.catchUp();
  }

  private merged(rows: readonly ArticleRow[], fresh: readonly ArticleRow[], goesOn: boolean): Merged {
    const { order } = this.view;
    return isByDate(order) ? merge(rows, fresh, order === 'oldest', goesOn) : weave(rows, fresh);
  }

  /** Returns whether a page has reached known rows. In orders other than by date, new rows may be anywhere. */
  private reachesKnown(page: readonly ArticleRow[], found: number): boolean {
    return isByDate(this.view.order) ? page.some((row) => this.indexOf(row.id) >= 0) : this.reachesEnd(page, found);
  }

  /** Returns whether a page has reached the last row, which may itself not be in the list any more. */
  private reachesEnd(page: readonly ArticleRow[], found: number): boolean {
    const [last, end] = [page.at(-1), this.rows.at(-1)];
    if (!last || !end) return true;
    if (isByDate(this.view.order)) return compare(last, end, this.view.order === 'oldest') >= 0;
    return found >= this.rows.length || page.some((row) => row.id === end.id);
  }

  /**
   * Returns the rows with those marked as read that are missing in the list's first rows, `found`: they were marked elsewhere. In
   * other lists than these they may be missing for another reason.
   */
  private withMissingRead(found: readonly ArticleRow[], more: boolean): readonly ArticleRow[] {
    const { rows, source, unreadOnly } = this;
    if (!unreadOnly || !['unread', 'all', 'feed', 'folder'].includes(source.kind)) return rows;
    const unread = new Set(found.map((row) => row.id));
    const end = more ? rows.findLastIndex((row) => unread.has(row.id)) : rows.length;
    const isRead = ({ id, read }: ArticleRow, index: number) => !read && index < end && !unread.has(id);
    if (!rows.some(isRead)) return rows;
    return this.pendingMarks.applyTo(rows.map((row, index) => (isRead(row, index) ? { ...row, read: true } : row)));
  }

  patch(changes: ReadonlyMap<number, Change>): void {
    this.pendingMarks.mark(changes);
    const { behind } = this;
    if (behind?.rows.some((row) => changes.has(row.id)))
      behind.rows = behind.rows.map((row) => ({ ...row, ...changes.get(row.id) }));
    const rows = this.rows.slice();
    let touched = false;
    for (const [id, change] of changes) {
      const index = this.indexOf(id);
      const row = rows[index];
      if (!row) continue;
      rows[index] = { ...row, ...change };
      touched = true;
    }
    if (!touched) return;
    this.rows = rows;
    this.index.keep(rows);
  }

  /** Returns the rows above or below an article, or all. */
  side(scope: 'all' | 'above' | 'below', id: number | null): ArticleRow[] {
    if (scope === 'all') return this.rows;
    const index = this.indexOf(id);
    if (index < 0) return [];
    return scope === 'above' ? this.rows.slice(0, index) : this.rows.slice(index + 1);
  }

  /** Returns the next matching row in a direction, loading further pages if necessary. */
  async neighbour(step: 1 | -1, wanted: (row: ArticleRow) => boolean = () => true): Promise<ArticleRow | null> {
    const request = this.request;
    let index = this.indexOf(this.cursor ?? this.selected);
    if (index < 0) index = step > 0 ? -1 : this.rows.length;
    for (;;) {
      index += step;
      if (index < 0) {
        const first = this.rows[0];
        if (!this.above || !first) return null;
        await this.loadAbove();
        index = this.indexOf(first.id) - 1;
        if (request !== this.request || index < 0) return null;
      }
      if (index >= this.rows.length) {
        if (!this.more) return null;
        const before = this.rows.length;
        await this.loadMore();
        if (request !== this.request || this.rows.length === before) return null;
      }
      const row = this.rows[index];
      if (row && wanted(row)) return row;
    }
  }

  private page(part: Partial<ListQuery>): Promise<Page> {
    const query = this.query(part);
    return this.pendingMarks.during(async () => {
      for (;;) {
        const { marksMany } = this;
        const page = await call('articles', query);
        if (marksMany === this.marksMany) return { ...page, rows: this.pendingMarks.applyTo(page.rows) };
        await this.markingMany;
      }
    });
  }

  /** Marks articles that only the core knows. A page that is loading meanwhile is loaded again, since its marks may be older. */
  async markMany<T>(send: () => Promise<T>): Promise<T> {
    this.marksMany++;
    const marking = this.pendingMarks.during(send);
    this.markingMany = marking.catch(() => {});
    try {
      return await marking;
    } finally {
      this.marksMany++;
    }
  }

  query(part: Partial<ListQuery>): ListQuery {
    return {
      source: this.source,
      unread_only: this.unreadOnly,
      order: this.view.order,
      after: null,
      before: null,
      limit: PAGE,
      ...part,
    };
  }
}

export const list = new ArticleList();
