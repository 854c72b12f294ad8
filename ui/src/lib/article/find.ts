/** Highlights matches on an article's page without changing the page, if the browser supports highlights. */
import { PageText, type Span } from './page-text';

/** Counting stops at this number of matches. */
export const MAX_MATCHES = 5000;

type View = Window & typeof globalThis;

/** Names of the highlights in the page's style sheet. */
const FOUND = 'gl-found';
const HERE = 'gl-found-here';
const WORDS = 'gl-words';

export class PageFind {
  private spans: readonly Span[] = [];
  private lastSearch = 0;
  private reading: Promise<PageText | null> | undefined;
  private stopped = false;

  constructor(private readonly page: Document) {}

  /** Returns the number of matches; `null` if a later search has started. */
  async find(wanted: string): Promise<number | null> {
    const lastSearch = ++this.lastSearch;
    if (wanted.trim() === '') {
      this.clear();
      return 0;
    }
    const text = await this.text();
    if (!text || lastSearch !== this.lastSearch) return null;
    this.spans = text.find(wanted, MAX_MATCHES);
    this.unmark(HERE);
    this.mark(FOUND, text, this.spans, 1);
    return this.spans.length;
  }

  /** Returns the index of the first match that is visible or below. */
  async first(): Promise<number> {
    const text = await this.text();
    if (!text) return 0;
    let low = 0;
    let high = this.spans.length;
    // Matches are in page order, so a binary search works.
    while (low < high) {
      const middle = (low + high) >> 1;
      const box = this.range(text, this.spans[middle] as Span)?.getBoundingClientRect();
      if (box && box.bottom < 0) low = middle + 1;
      else high = middle;
    }
    return low < this.spans.length ? low : 0;
  }

  /** Scrolls to a match. */
  async show(number: number): Promise<void> {
    const span = this.spans[number];
    const text = await this.text();
    const range = text && span ? this.range(text, span) : null;
    if (!text || !span || !range) return;
    for (let around = range.startContainer.parentElement; around; around = around.parentElement)
      if (around.localName === 'details') (around as HTMLDetailsElement).open = true;
    this.mark(HERE, text, [span], 2);
    if (!this.highlights) this.select(range);
    const box = range.getBoundingClientRect();
    const view = this.page.defaultView;
    const sheet = this.page.scrollingElement;
    if (!view || !sheet) return;
    // Code and tables scroll horizontally on their own.
    const wide = range.startContainer.parentElement?.closest<HTMLElement>('pre, .gl-scroll');
    if (wide) {
      const frame = wide.getBoundingClientRect();
      if (box.left < frame.left || box.right > frame.right) wide.scrollLeft += box.left - frame.left - frame.width / 3;
    }
    const room = view.innerHeight;
    if (box.top < room * 0.1 || box.bottom > room * 0.85)
      sheet.scrollTo({ top: sheet.scrollTop + box.top - room / 3, behavior: 'instant' });
  }

  /** Highlights the words of a search. */
  async words(wanted: readonly { readonly text: string; readonly begins: boolean }[]): Promise<void> {
    if (wanted.length === 0) {
      this.unmark(WORDS);
      return;
    }
    const text = await this.text();
    if (!text) return;
    const spans = wanted.flatMap((one) => text.words(one.text, one.begins, MAX_MATCHES / 5));
    this.mark(WORDS, text, spans, 0);
  }

  clear(): void {
    this.lastSearch++;
    this.spans = [];
    for (const name of [FOUND, HERE]) this.unmark(name);
    if (!this.highlights) this.page.getSelection()?.removeAllRanges();
  }

  /** Called when the page is removed. */
  stop(): void {
    this.stopped = true;
  }

  private get view(): View | null {
    return this.page.defaultView as View | null;
  }

  private get highlights(): HighlightRegistry | undefined {
    return this.view?.CSS?.highlights;
  }

  private text(): Promise<PageText | null> {
    const parts = [...this.page.querySelectorAll('.gl-title, .gl-body')];
    this.reading ??= PageText.read(parts, () => !this.stopped);
    return this.reading;
  }

  private range(text: PageText, { from, until }: Span): Range | null {
    const [start, end] = [text.place(from), text.place(until, true)];
    // The page may have changed since it was read.
    if (!start?.node.isConnected || !end?.node.isConnected) return null;
    const range = this.page.createRange();
    range.setStart(start.node, Math.min(start.offset, start.node.length));
    range.setEnd(end.node, Math.min(end.offset, end.node.length));
    return range;
  }

  /**
   * WebKit keeps painting a highlight that is replaced or deleted until something else is painted there; an emptied
   * one disappears at once.
   */
  private unmark(name: string): void {
    this.highlights?.get(name)?.clear();
    this.highlights?.delete(name);
  }

  private mark(name: string, text: PageText, spans: readonly Span[], priority: number): void {
    const { view, highlights } = this;
    if (!view || !highlights) return;
    const highlight = new view.Highlight();
    highlight.priority = priority;
    for (const span of spans) {
      const range = this.range(text, span);
      if (range) highlight.add(range);
    }
    this.unmark(name);
    highlights.set(name, highlight);
  }

  private select(range: Range): void {
    const selection = this.page.getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
  }
}
