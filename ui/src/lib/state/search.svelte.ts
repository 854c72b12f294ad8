/** Search: the results replace the list until the user leaves the search. */
import {
  asIpcError,
  call,
  type IpcError,
  type SavedSearch,
  type SearchResult,
  type SearchHit,
  type SearchOrder,
} from '../ipc';
import { tick } from 'svelte';
import { reading } from './article.svelte';
import { collections } from './collections.svelte';
import { layout } from './layout.svelte';
import { list, type Page } from './list.svelte';

/** Milliseconds after the last key press before the search runs. */
export const PAUSE = 120;
const PAGE = 50;

/** An invalid query and what is wrong with it; the field may contain another one by now. */
type QueryError = Extract<SearchResult, { kind: 'invalid_query' }> & { readonly query: string };

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

/** Returns the query for articles in a language. */
export const languageQuery = (tag: string): string => `lang:${tag}`;

/** Returns the query for a category and its subcategories. */
export const categoryQuery = (category: string): string => `category:${quoted(category)}`;

/** Returns the query for a feed; also matches other feeds with these words in their title. */
export const feedQuery = (title: string): string => `feed:${quoted(title)}`;

/** Returns the query for these words as a phrase. */
export const wordsQuery = (words: string): string => (/^\p{L}+$/u.test(words) ? words : quoted(words));

class Search {
  text = $state('');
  order = $state<SearchOrder>('date');
  /** The query of the displayed results; empty if there are none yet. */
  shownQuery = $state('');
  queryError = $state.raw<QueryError | null>(null);
  error = $state.raw<IpcError | null>(null);
  /** Number of articles not indexed yet. */
  unindexed = $state(0);
  loading = $state(false);
  hits = $state.raw<ReadonlyMap<number, SearchHit>>(new Map());
  /** Categories used by feeds, loaded on first use. */
  categories = $state.raw<{ name: string; articles: number }[]>([]);
  /** Completions are shown: errors of the unfinished query are not. */
  offering = $state(false);
  savedId = $state<number | null>(null);
  /** The saved search that was opened; the field may contain another query by now. */
  readonly saved = $derived(collections.searches.find(({ id }) => id === this.savedId) ?? null);
  /** The query in the field is already saved. */
  readonly isSaved = $derived(this.saved !== null && this.saved.query === this.text.trim());
  readonly canSave = $derived(this.text.trim() !== '' && !this.queryError && !this.isSaved);
  /** Set by the search field while it is mounted. */
  field: HTMLInputElement | undefined;

  private request = 0;
  /** The request whose results are displayed. */
  private displayed = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Opens the search field, or focuses it. */
  open(): void {
    layout.drawer = false;
    layout.zen = false;
    layout.visiblePane = 'list';
    if (!list.searching) {
      this.clear();
      list.beginSearch();
    }
    void tick().then(() => {
      this.field?.focus();
      this.field?.select();
    });
  }

  /** Shows the results of a saved search. */
  openSaved(saved: SavedSearch): void {
    layout.drawer = false;
    layout.visiblePane = 'list';
    this.clear();
    if (!list.searching) list.beginSearch();
    this.savedId = saved.id;
    this.text = saved.query;
    void this.ask();
  }

  /** Shows the results of a query; focuses the field if `typing`. */
  show(query: string, typing = true): void {
    layout.drawer = false;
    layout.visiblePane = 'list';
    this.clear();
    if (!list.searching) list.beginSearch();
    this.text = query;
    void this.ask();
    if (typing) void tick().then(() => this.field?.focus());
  }

  /** Loads the categories. Returns whether there are new ones. */
  async loadCategories(): Promise<boolean> {
    if (this.categories.length > 0) return false;
    try {
      const { facets } = await call('categories');
      this.categories = facets.map(({ key: name, articles }) => ({ name, articles }));
    } catch (error) {
      // Completions are optional: the search works without them.
      console.warn('categories', error);
    }
    return this.categories.length > 0;
  }

  type(text: string): void {
    this.text = text;
    clearTimeout(this.timer);
    if (text.trim() === '') this.clear();
    else this.timer = setTimeout(() => void this.ask(), PAUSE);
  }

  /** Replaces the query in the field. */
  take(query: string): void {
    this.text = query;
    this.field?.focus();
    void this.ask();
  }

  sort(order: SearchOrder): void {
    this.order = order;
    if (this.text.trim() !== '') void this.ask();
  }

  /** Moves the focus to the results. */
  async enter(): Promise<void> {
    if (this.text.trim() !== '' && this.shownQuery !== this.text && this.queryError?.query !== this.text)
      await this.ask();
    if (list.searching && list.rows.length > 0 && !this.queryError && !this.error) layout.focus('list');
  }

  /** Clears the field, and focuses it. */
  empty(): void {
    this.clear();
    this.open();
  }

  /** Shows the results of a search that was left. */
  async again({ query, order, savedId }: Pick<Search, 'order' | 'savedId'> & { query: string }): Promise<void> {
    this.clear();
    if (!list.searching) list.beginSearch();
    [this.text, this.order, this.savedId] = [query, order, savedId];
    await this.ask();
  }

  leave(): void {
    this.restoreList();
    layout.focus('list');
  }

  /** Restores the list and its article: a result that was opened would be another article than the selected one. */
  restoreList(): void {
    this.clear();
    list.endSearch();
    const row = list.row(list.selected);
    if (row && row.id !== reading.id) {
      void reading.open(row.id, () => list.row(row.id));
      reading.unseen = !row.read && !layout.articleVisible;
    }
  }

  /** Clears the query and what is known of a replaced library. */
  forget(): void {
    this.clear();
    this.categories = [];
    this.unindexed = 0;
  }

  /** Called with the number of articles still to be indexed. */
  onIndexed(left: number): void {
    const came = this.unindexed > 0 && left === 0;
    this.unindexed = left;
    // Reload only if the list is at the top, so that nothing moves while reading.
    if (came && list.searching && this.shownQuery !== '' && this.shownQuery === this.text && list.atTop)
      void this.ask();
  }

  private clear(): void {
    clearTimeout(this.timer);
    this.displayed = ++this.request;
    this.text = '';
    this.savedId = null;
    this.shownQuery = '';
    this.queryError = null;
    this.error = null;
    this.loading = false;
    this.hits = new Map();
    if (list.searching) list.showFound({ rows: [], more: false });
  }

  private async ask(): Promise<void> {
    clearTimeout(this.timer);
    const request = ++this.request;
    const { text: query, order } = this;
    this.loading = true;
    try {
      const answer = await call('search', { query, order, after: null, limit: PAGE });
      // The latest request wins.
      if (request !== this.request || !list.searching) return;
      this.error = null;
      if (answer.kind === 'invalid_query') {
        this.queryError = { ...answer, query };
        return;
      }
      this.queryError = null;
      this.shownQuery = query;
      this.displayed = request;
      this.unindexed = answer.unindexed;
      this.hits = new Map();
      let { next } = answer;
      list.showFound(this.page(answer), async () => {
        const further = await call('search', { query, order, after: next, limit: PAGE });
        if (further.kind === 'invalid_query') return { rows: [], more: false };
        ({ next } = further);
        return request === this.displayed ? this.page(further) : { rows: [], more: false };
      });
    } catch (error) {
      if (request === this.request) this.error = asIpcError(error);
    } finally {
      if (request === this.request) this.loading = false;
    }
  }

  /** Converts results to rows that show the matching text. */
  private page({ hits, next }: Extract<SearchResult, { kind: 'found' }>): Page {
    this.hits = new Map([...this.hits, ...hits.map((hit) => [hit.row.id, hit] as const)]);
    return { rows: hits.map((hit) => ({ ...hit.row, excerpt: hit.snippet })), more: next !== null };
  }
}

export const search = new Search();
