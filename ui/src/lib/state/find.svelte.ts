/** Finding in the article that is shown: the bar's state, and the marks on the page. */
import { tick } from 'svelte';
import { MOST, PageFind } from '../article/find';
import { foundWords } from '../list/found-words';
import { reading } from './article.svelte';
import { list } from './list.svelte';
import { search } from './search.svelte';

class Find {
  open = $state(false);
  text = $state('');
  /** Null while nobody knows. */
  count = $state<number | null>(0);
  place = $state(0);
  /** There are more hits than were counted. */
  readonly more = $derived((this.count ?? 0) >= MOST);
  /** Set by the bar while it is there. */
  field: HTMLInputElement | undefined;

  private page: PageFind | null = null;
  /** The hit in its place was gone to, and is marked as such. */
  private shown = false;

  /** Another page is shown, or none. */
  shows(page: Document | null): void {
    this.page?.clear();
    this.page?.stop();
    this.page = page ? new PageFind(page) : null;
    if (!page) return;
    void this.markWords();
    if (this.open) void this.look(false);
  }

  /** Marks the words that the list was searched for, where the article is among what was found. */
  async markWords(): Promise<void> {
    const hit = list.searching && reading.article ? search.hits.get(reading.article.id) : undefined;
    await this.page?.words(hit ? foundWords(search.answered, hit) : []);
  }

  /** Opens the bar, or goes back into it. */
  begin(words: string): void {
    this.open = true;
    if (words) this.text = words;
    void tick().then(() => {
      this.field?.focus();
      this.field?.select();
    });
    if (this.text) void this.look(true);
  }

  type(text: string): void {
    this.text = text;
    void this.look(true);
  }

  leave(): void {
    this.open = false;
    this.count = 0;
    this.page?.clear();
  }

  /** To the next or previous hit; after the last comes the first. On a page that has just come the first one is the next. */
  step(direction: 1 | -1): void {
    const { count } = this;
    if (!count) return;
    if (this.shown || direction < 0) this.place = (this.place + direction + count) % count;
    this.shown = true;
    void this.page?.show(this.place);
  }

  private async look(show: boolean): Promise<void> {
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
