/** Searching: what is typed becomes the list, until the reader leaves it again. */
import {
  asIpcError,
  call,
  type IpcError,
  type SavedSearch,
  type SearchAnswer,
  type SearchHit,
  type SearchOrder,
} from '../ipc';
import { tick } from 'svelte';
import { collections } from './collections.svelte';
import { layout } from './layout.svelte';
import { list, type Page } from './list.svelte';

/** So long after the last key the library is asked. */
export const PAUSE = 120;
const PAGE = 50;

/** Why a query cannot be read, and the query itself: what stands in the field may be another by now. */
export type QueryTrouble = Extract<SearchAnswer, { kind: 'not_understood' }> & { readonly query: string };

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

/** What finds the articles in a language. */
export const languageQuery = (tag: string): string => `lang:${tag}`;

/** What finds all that is about a category, and what lies below it. */
export const categoryQuery = (category: string): string => `category:${quoted(category)}`;

/** What finds all of a feed, and of others whose titles have these words. */
export const feedQuery = (title: string): string => `feed:${quoted(title)}`;

/** What finds these words, as they stand. */
export const wordsQuery = (words: string): string => (/^\p{L}+$/u.test(words) ? words : quoted(words));

class Search {
  text = $state('');
  order = $state<SearchOrder>('date');
  /** What the list shows answers this; empty before anything was found. */
  answered = $state('');
  trouble = $state.raw<QueryTrouble | null>(null);
  error = $state.raw<IpcError | null>(null);
  /** Articles that cannot be found yet. */
  waiting = $state(0);
  looking = $state(false);
  hits = $state.raw<ReadonlyMap<number, SearchHit>>(new Map());
  /** What feeds say their articles are about, once it was asked for. */
  categories = $state.raw<{ name: string; articles: number }[]>([]);
  /** The field offers what can follow: that the query is not whole yet needs no saying. */
  offering = $state(false);
  savedId = $state<number | null>(null);
  /** The saved search that was opened; its words may be others in the field by now. */
  readonly saved = $derived(collections.searches.find(({ id }) => id === this.savedId) ?? null);
  /** Set by the field while it is there. */
  field: HTMLInputElement | undefined;

  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Opens the field, or goes back into it. */
  open(): void {
    layout.drawer = false;
    layout.zen = false;
    layout.stage = 'list';
    if (!list.searching) {
      this.clear();
      list.beginSearch();
    }
    void tick().then(() => {
      this.field?.focus();
      this.field?.select();
    });
  }

  /** Shows what a saved search finds. */
  openSaved(saved: SavedSearch): void {
    layout.drawer = false;
    layout.stage = 'list';
    this.clear();
    if (!list.searching) list.beginSearch();
    this.savedId = saved.id;
    this.text = saved.query;
    void this.ask();
  }

  /** Shows what answers a query; the field takes the focus unless nothing is to be typed. */
  show(query: string, typing = true): void {
    layout.drawer = false;
    layout.stage = 'list';
    this.clear();
    if (!list.searching) list.beginSearch();
    this.text = query;
    void this.ask();
    if (typing) void tick().then(() => this.field?.focus());
  }

  /** Whether there is something to offer that was not known before. */
  async knowCategories(): Promise<boolean> {
    if (this.categories.length > 0) return false;
    try {
      const { facets } = await call('categories');
      this.categories = facets.map(({ key: name, articles }) => ({ name, articles }));
    } catch (error) {
      // They are a help only: what was typed is looked for all the same.
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

  /** Asks for this instead of what stands in the field. */
  take(query: string): void {
    this.text = query;
    this.field?.focus();
    void this.ask();
  }

  sort(order: SearchOrder): void {
    this.order = order;
    if (this.text.trim() !== '') void this.ask();
  }

  /** To the results of what stands in the field. */
  async enter(): Promise<void> {
    if (this.text.trim() !== '' && this.answered !== this.text && this.trouble?.query !== this.text) await this.ask();
    if (list.searching && list.rows.length > 0 && !this.trouble && !this.error) layout.focus('list');
  }

  /** One step back: from what was typed to an empty field, and from there to the list that was there before. */
  escape(): void {
    if (this.text !== '') {
      this.clear();
      this.open();
    } else this.leave();
  }

  leave(): void {
    this.clear();
    list.endSearch();
    layout.focus('list');
  }

  /** The index has taken articles in: so many are left. */
  heard(left: number): void {
    const came = this.waiting > 0 && left === 0;
    this.waiting = left;
    // What is being read or looked through does not move.
    if (came && list.searching && this.answered !== '' && this.answered === this.text && list.atTop) void this.ask();
  }

  private clear(): void {
    clearTimeout(this.timer);
    this.asked++;
    this.text = '';
    this.savedId = null;
    this.answered = '';
    this.trouble = null;
    this.error = null;
    this.looking = false;
    this.hits = new Map();
    if (list.searching) list.showFound({ rows: [], more: false });
  }

  private async ask(): Promise<void> {
    clearTimeout(this.timer);
    const asked = ++this.asked;
    const { text: query, order } = this;
    this.looking = true;
    try {
      const answer = await call('search', { query, order, after: null, limit: PAGE });
      // The one asked last wins, and nobody waits for one that was left.
      if (asked !== this.asked || !list.searching) return;
      this.error = null;
      if (answer.kind === 'not_understood') {
        this.trouble = { ...answer, query };
        return;
      }
      this.trouble = null;
      this.answered = query;
      this.waiting = answer.waiting;
      this.hits = new Map();
      let { next } = answer;
      list.showFound(this.page(answer), async () => {
        const further = await call('search', { query, order, after: next, limit: PAGE });
        if (further.kind === 'not_understood') return { rows: [], more: false };
        ({ next } = further);
        return asked === this.asked ? this.page(further) : { rows: [], more: false };
      });
    } catch (error) {
      if (asked === this.asked) this.error = asIpcError(error);
    } finally {
      if (asked === this.asked) this.looking = false;
    }
  }

  /** The rows show what was found of their texts. */
  private page({ hits, next }: Extract<SearchAnswer, { kind: 'found' }>): Page {
    this.hits = new Map([...this.hits, ...hits.map((hit) => [hit.row.id, hit] as const)]);
    return { rows: hits.map((hit) => ({ ...hit.row, excerpt: hit.snippet })), more: next !== null };
  }
}

export const search = new Search();
