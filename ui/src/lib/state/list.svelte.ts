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
import { Known } from '../list/known';
import { justBefore, merge, placeOf, putBack, weave, type Merged } from '../list/merge';
import { NONE, toggled, type Picks } from '../list/picks';
import { library } from './library.svelte';
import { showsPictures } from './pictures';
import { settings } from './settings.svelte';
import { isByDate, views } from './views.svelte';

const PAGE = 200;
/** How many pages a look for what is new may take before it is left to the next one. */
const CATCH_UP = 10;
/** Milliseconds of rest before the place of a river is kept. */
const PLACED = 1000;

export type { Page };
/** A row at the top edge, and how much of it is above: where one has scrolled to. */
export type Place = { readonly id: number; readonly offset: number };
type Change = Partial<Pick<ArticleRow, 'read' | 'starred'>>;

export function sameSource(a: Source, b: Source): boolean {
  return a.kind === b.kind && ('id' in a ? a.id : 0) === ('id' in b ? b.id : 0);
}

/** The article list: pages of rows as the core gave them, and which one is selected. */
class ArticleList {
  source = $state.raw<Source>({ kind: 'unread' });
  rows = $state.raw<ArticleRow[]>([]);
  /** The list goes on below the last row. */
  more = $state(false);
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  error = $state.raw<IpcError | null>(null);
  loadingMore = $state(false);
  selected = $state<number | null>(null);
  /** Chosen for one act on all of them. */
  picks = $state.raw<Picks>(NONE);
  /** Where the keyboard is while rows are chosen; otherwise it is at the selected one. */
  cursor = $state<number | null>(null);
  /** Came in above what is being read, and was not looked at yet. */
  fresh = $state.raw<ReadonlySet<number>>(new Set());
  /** A river that was begun where it was left goes on above the first row. */
  above = $state(false);
  /** Raised when the list is another one, so that the view starts at its top. */
  generation = $state(0);
  /** What had come in by then has been shown (see `MarkAll.received_before`). */
  seenAt = Date.now();

  /** The rows are what a search found; the list of `source` waits behind it. */
  searching = $state(false);
  /** Where the view is, as it says itself. */
  place: Place | null = null;
  /** Where the view begins, when that is not its top. */
  startAt: Place | null = null;

  private behind: {
    rows: ArticleRow[];
    more: boolean;
    status: 'loading' | 'ready' | 'failed';
    selected: number | null;
    fresh: ReadonlySet<number>;
    place: Place | null;
    above: boolean;
  } | null = null;
  private further: (() => Promise<Page>) | null = null;
  private asked = 0;
  private indexRows: ArticleRow[] | null = null;
  private indexById = new Map<number, number>();
  private pageUnderWay: Promise<void> | null = null;
  private loadingAbove = false;
  private placing: ReturnType<typeof setTimeout> | undefined;

  /** Marks that a page which is on its way may not know of. */
  readonly knows = new Known<Change>();

  /** How it is looked at. */
  readonly look = $derived(views.of(this.source));

  /** What small pictures there may be. For hidden articles nobody is asked for one. */
  readonly pictures = $derived.by(() => {
    const { list_layout, thumbnails } = settings.value;
    const asks = this.source.kind !== 'hidden';
    return { list_layout, thumbnails, shows: (feed: number) => asks && showsPictures(feed) };
  });

  /** What the rows' heights hang on, but for the rows themselves. */
  readonly drawn = $derived.by(() => {
    const { list_layout, thumbnails, load_images } = settings.value;
    const said = library.feeds.filter((feed) => feed.load_images !== null);
    const feeds = said.map((feed) => `${String(feed.id)}${String(feed.load_images)}`);
    return [list_layout, thumbnails, load_images, this.source.kind === 'hidden', ...feeds].join(' ');
  });

  readonly unreadOnly = $derived(
    this.source.kind === 'unread' ||
      (!['starred', 'noted', 'hidden'].includes(this.source.kind) && settings.value.unread_only),
  );

  indexOf(id: number | null): number {
    if (id === null) return -1;
    if (this.indexRows !== this.rows) {
      // Appending keeps what is known: a long scroll must not index everything anew with each page.
      const from =
        this.indexRows && this.rows[this.indexRows.length - 1] === this.indexRows.at(-1) ? this.indexRows.length : 0;
      if (from === 0 || this.indexById.size !== from) this.indexById.clear();
      for (let i = this.indexById.size === 0 ? 0 : from; i < this.rows.length; i++)
        this.indexById.set((this.rows[i] as ArticleRow).id, i);
      this.indexRows = this.rows;
    }
    return this.indexById.get(id) ?? -1;
  }

  row(id: number | null): ArticleRow | undefined {
    return this.rows[this.indexOf(id)];
  }

  /** Shows another list, or the same one anew. */
  async show(source: Source): Promise<void> {
    this.keepPlace();
    this.searching = false;
    this.behind = null;
    this.further = null;
    this.source = source;
    this.begin([], false);
    const { asked } = this;
    this.status = 'loading';
    const seenAt = Date.now();
    try {
      const { river, place, order } = this.look;
      const left = river ? place : null;
      let page = await this.page(left ? { after: justBefore(left, order === 'oldest') } : {});
      if (asked !== this.asked) return;
      const goesOnAbove = left !== null && page.rows.length > 0;
      // Nothing is left of it from there on.
      if (left && !goesOnAbove) page = await this.page({});
      if (asked !== this.asked) return;
      this.rows = page.rows;
      this.more = page.more;
      this.above = goesOnAbove;
      this.seenAt = seenAt;
      this.status = 'ready';
    } catch (error) {
      if (asked !== this.asked) return;
      this.error = asIpcError(error);
      this.status = 'failed';
    }
  }

  /** Another list is shown from its beginning: what was asked for the former one is not waited for. */
  private begin(rows: ArticleRow[], more: boolean): void {
    this.asked++;
    this.rows = rows;
    this.more = more;
    this.selected = null;
    this.picks = NONE;
    this.cursor = null;
    this.above = false;
    this.fresh = new Set();
    this.status = 'ready';
    this.error = null;
    this.pageUnderWay = null;
    this.loadingMore = false;
    this.startAt = null;
    this.generation++;
  }

  /** Puts the list aside for what a search finds. */
  beginSearch(): void {
    this.keepPlace();
    const { rows, more, status, selected, fresh, place, above } = this;
    this.behind = { rows, more, status, selected, fresh, place, above };
    this.searching = true;
    this.showFound({ rows: [], more: false });
  }

  /** What a search found, and where its further pages come from. */
  showFound(page: Page, further: (() => Promise<Page>) | null = null): void {
    this.begin(page.rows, page.more);
    this.further = further;
  }

  /** Gives back the list that was there before the search, where it was. */
  endSearch(): void {
    const { behind } = this;
    if (!behind || behind.status !== 'ready') return void this.show(this.source);
    this.searching = false;
    this.behind = null;
    this.further = null;
    this.begin(behind.rows, behind.more);
    this.startAt = behind.place;
    this.above = behind.above;
    this.selected = behind.selected;
    this.fresh = behind.fresh;
    void this.catchUp();
  }

  /** The view is at the first row, and none was chosen. */
  get atTop(): boolean {
    return this.selected === null && (this.place === null || this.indexOf(this.place.id) <= 0);
  }

  loadMore(): Promise<void> {
    if (!this.more || this.status !== 'ready') return Promise.resolve();
    this.pageUnderWay ??= this.nextPage().finally(() => (this.pageUnderWay = null));
    return this.pageUnderWay;
  }

  private async nextPage(): Promise<void> {
    const asked = this.asked;
    const last = this.rows.at(-1);
    if (!last) return;
    this.loadingMore = true;
    try {
      const { further } = this;
      const page = further ? await further() : await this.page({ after: placeOf(last) });
      if (asked !== this.asked) return;
      const known = page.rows.filter((row) => this.indexOf(row.id) < 0);
      this.rows = this.rows.concat(known);
      this.more = page.more;
      this.error = null;
    } catch (error) {
      // The foot of the list says so and offers another try.
      if (asked === this.asked) this.error = asIpcError(error);
    } finally {
      this.loadingMore = false;
    }
  }

  /** What a river has above where it was begun. */
  async loadAbove(): Promise<void> {
    const first = this.rows[0];
    if (!this.above || !first || this.status !== 'ready' || this.loadingAbove) return;
    const { asked } = this;
    this.loadingAbove = true;
    try {
      const page = await this.page({ before: placeOf(first) });
      if (asked !== this.asked) return;
      this.rows = [...page.rows.filter((row) => this.indexOf(row.id) < 0), ...this.rows];
      this.above = page.more;
    } catch (error) {
      // Scrolling on asks again.
      console.warn('what is above', error);
    } finally {
      this.loadingAbove = false;
    }
  }

  /** Remembers where a river is left. */
  keepPlace(): void {
    clearTimeout(this.placing);
    const row = this.row(this.place?.id ?? null);
    if (!row || !this.look.river || this.searching) return;
    const place = placeOf(row);
    if (this.look.place?.id !== place.id) void views.change(this.source, { place });
  }

  /** The view has moved. */
  placed(place: Place | null): void {
    this.place = place;
    if (!this.look.river || this.searching) return;
    clearTimeout(this.placing);
    this.placing = setTimeout(() => this.keepPlace(), PLACED);
  }

  /** Looks for what is new, without moving or taking away what is shown. */
  async catchUp(): Promise<void> {
    if (this.status === 'ready' && !this.searching) await this.knows.during(() => this.lookForNew());
  }

  private async lookForNew(): Promise<void> {
    const asked = this.asked;
    const seenAt = Date.now();
    const found: ArticleRow[] = [];
    let more = true;
    try {
      for (let pages = 0; more && pages < CATCH_UP; pages++) {
        const last = found.at(-1);
        const page = await this.page({ after: last ? placeOf(last) : this.beginning });
        if (asked !== this.asked) return;
        found.push(...page.rows);
        more = page.more;
        // Where fresh rows reach shown ones, the rest is known.
        if (this.rows.length === 0 || this.reaches(page.rows, found.length)) break;
      }
    } catch (error) {
      console.warn('looking for what is new', error);
      return;
    }
    const wasEmpty = this.rows.length === 0;
    const { rows, added } = this.merged(this.rows, this.knows.over(found), this.more);
    if (wasEmpty) this.more = more;
    this.rows = rows;
    if (added.length === 0 || wasEmpty) {
      if (this.fresh.size === 0) this.seenAt = seenAt;
    } else {
      this.fresh = new Set([...this.fresh, ...added.map((row) => row.id)]);
    }
  }

  /** The reader has come to the top: what is new has been seen. */
  lookedAtFresh(): void {
    if (this.fresh.size === 0) return;
    this.fresh = new Set();
    this.seenAt = Date.now();
  }

  /** Takes out the rows of feeds that are gone. */
  keepFeeds(there: ReadonlyMap<number, unknown>): void {
    const kept = (rows: ArticleRow[]) =>
      rows.some((row) => !there.has(row.feed_id)) ? rows.filter((row) => there.has(row.feed_id)) : rows;
    this.rows = kept(this.rows);
    if (this.picked().length < this.picks.ids.size) this.picks = NONE;
    if (this.behind) this.behind.rows = kept(this.behind.rows);
  }

  /** The rows that are chosen, in the order of the list. */
  picked(): ArticleRow[] {
    return this.rows.filter((row) => this.picks.ids.has(row.id));
  }

  /** Takes one article out. What it gives puts it back, in whatever list is shown by then. */
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
      // What is in the list of hidden ones is in no other.
      else if (source.kind === 'hidden' || this.source.kind === 'hidden') this.without(id);
      else void this.catchUp();
    };
  }

  /** The same of many, which are chosen no more; they come back into the list that they were in, or the next look has them. */
  withoutMany(ids: readonly number[]): () => void {
    const { rows, generation } = this;
    const gone = new Set(ids);
    this.rows = rows.filter((row) => !gone.has(row.id));
    if (this.selected !== null && gone.has(this.selected)) this.selected = null;
    if (this.behind) this.behind.rows = this.behind.rows.filter((row) => !gone.has(row.id));
    this.picks = NONE;
    this.cursor = null;
    return () => {
      if (generation !== this.generation) {
        // What is in the list of hidden ones is in no other.
        if (this.source.kind === 'hidden') return void this.withoutMany(ids);
        return void this.catchUp();
      }
      this.rows = putBack(this.rows, rows, gone);
    };
  }

  /** What is shown begins after this; null: with the list. */
  private get beginning(): Cursor | null {
    const first = this.rows[0];
    return this.above && first ? justBefore(placeOf(first), this.look.order === 'oldest') : null;
  }

  private putBack(row: ArticleRow | undefined): void {
    const into = this.behind ?? this;
    if (row && isByDate(this.look.order)) into.rows = this.merged(into.rows, [row], into.more).rows;
    // Where it belongs only the core knows.
    else if (row) void this.catchUp();
  }

  private merged(rows: readonly ArticleRow[], fresh: readonly ArticleRow[], goesOn: boolean): Merged {
    const { order } = this.look;
    return isByDate(order) ? merge(rows, fresh, order === 'oldest', goesOn) : weave(rows, fresh);
  }

  /** Whether a page has come to where the rest is known. What is new may stand anywhere but in a list by date. */
  private reaches(page: readonly ArticleRow[], asked: number): boolean {
    if (isByDate(this.look.order)) return page.some((row) => this.indexOf(row.id) >= 0);
    return asked >= this.rows.length || page.some((row) => row.id === this.rows.at(-1)?.id);
  }

  patch(changes: ReadonlyMap<number, Change>): void {
    this.knows.mark(changes);
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
    const { indexById } = this;
    this.rows = rows;
    this.indexRows = rows;
    this.indexById = indexById;
  }

  /** The rows on one side of an article, or all. */
  side(scope: 'all' | 'above' | 'below', id: number | null): ArticleRow[] {
    if (scope === 'all') return this.rows;
    const index = this.indexOf(id);
    if (index < 0) return [];
    return scope === 'above' ? this.rows.slice(0, index) : this.rows.slice(index + 1);
  }

  /** The neighbour of the selected row, fetching the next page where the list has not come that far. */
  async neighbour(step: 1 | -1, wanted: (row: ArticleRow) => boolean = () => true): Promise<ArticleRow | null> {
    const asked = this.asked;
    let index = this.indexOf(this.cursor ?? this.selected);
    if (index < 0) index = step > 0 ? -1 : this.rows.length;
    for (;;) {
      index += step;
      if (index < 0) return null;
      if (index >= this.rows.length) {
        if (!this.more) return null;
        const before = this.rows.length;
        await this.loadMore();
        if (asked !== this.asked || this.rows.length === before) return null;
      }
      const row = this.rows[index];
      if (row && wanted(row)) return row;
    }
  }

  private page(part: Partial<ListQuery>): Promise<Page> {
    return this.knows.during(async () => {
      const page = await call('articles', this.query(part));
      return { ...page, rows: this.knows.over(page.rows) };
    });
  }

  query(part: Partial<ListQuery>): ListQuery {
    return {
      source: this.source,
      unread_only: this.unreadOnly,
      order: this.look.order,
      after: null,
      before: null,
      limit: PAGE,
      ...part,
    };
  }
}

export const list = new ArticleList();
