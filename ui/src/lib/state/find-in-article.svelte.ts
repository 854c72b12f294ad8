/** Find in the displayed article: state of the find bar and highlights on the page. */
import { tick } from 'svelte';
import { MAX_MATCHES, PageFind } from '../article/find';
import { foundWords } from '../list/matched-words';
import { reading } from './article.svelte';
import { list } from './list.svelte';
import { search } from './search.svelte';

class Find {
  open = $state(false);
  text = $state('');
  /** `null` while the count is unknown. */
  count = $state<number | null>(0);
  place = $state(0);
  /** Counting stopped at the limit. */
  readonly more = $derived((this.count ?? 0) >= MAX_MATCHES);
  /** Set by the bar while it is mounted. */
  field: HTMLInputElement | undefined;

  private page: PageFind | null = null;
  /** The current match has been scrolled to and highlighted. */
  private shown = false;

  /** Sets the displayed page; `null` if there is none. */
  setPage(page: Document | null): void {
    this.page?.clear();
    this.page?.stop();
    this.page = page ? new PageFind(page) : null;
    if (!page) return;
    void this.markWords();
    if (this.open) void this.update(false);
  }

  /** Highlights the words of the current search if the article is one of its results. */
  async markWords(): Promise<void> {
    const result = list.searching && reading.article ? search.hits.get(reading.article.id) : undefined;
    await this.page?.words(result ? foundWords(search.shownQuery, result) : []);
  }

  /** Opens the bar, or focuses it. */
  begin(words: string): void {
    this.open = true;
    if (words) this.text = words;
    // The bar is loaded when it is first opened, and then takes the focus.
    void tick().then(() => this.focusField());
    if (this.text) void this.update(true);
  }

  focusField(): void {
    this.field?.focus();
    this.field?.select();
  }

  type(text: string): void {
    this.text = text;
    void this.update(true);
  }

  leave(): void {
    this.open = false;
    this.count = 0;
    this.page?.clear();
  }

  /** Goes to the next or previous match, wrapping around. On a new page the first match is the next. */
  step(direction: 1 | -1): void {
    const { count } = this;
    if (!count) return;
    if (this.shown || direction < 0) this.place = (this.place + direction + count) % count;
    this.shown = true;
    void this.page?.show(this.place);
  }

  private async update(show: boolean): Promise<void> {
    const { page } = this;
    if (!page) return;
    const text = this.text;
    if (text.trim() === '') this.count = 0;
    const count = await page.find(text);
    if (count === null || page !== this.page || text !== this.text) return;
    this.count = count;
    this.shown = show;
    this.place = count ? await page.first() : 0;
    if (count && show) await page.show(this.place);
  }
}

export const find = new Find();
