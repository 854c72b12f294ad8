/** Marks what is looked for on an article's page, without changing the page: by highlights where the browser has them. */
import { PageText, type Span } from './page-text';

/** More hits than this are counted no further. */
export const MOST = 5000;

type View = Window & typeof globalThis;

/** Names of the highlights, for the page's style sheet. */
const FOUND = 'gl-found';
const HERE = 'gl-found-here';
const WORDS = 'gl-words';

export class PageFind {
  private spans: readonly Span[] = [];
  private asked = 0;
  private reading: Promise<PageText | null> | undefined;
  private gone = false;

  constructor(private readonly page: Document) {}

  /** How many there are. Null where something else was asked meanwhile. */
  async find(wanted: string): Promise<number | null> {
    const asked = ++this.asked;
    if (wanted.trim() === '') {
      this.clear();
      return 0;
    }
    const text = await this.text();
    if (!text || asked !== this.asked) return null;
    this.spans = text.find(wanted, MOST);
    this.unmark(HERE);
    this.mark(FOUND, text, this.spans, 1);
    return this.spans.length;
  }

  /** The first hit that is in sight or below. */
  async first(): Promise<number> {
    const text = await this.text();
    if (!text) return 0;
    let low = 0;
    let high = this.spans.length;
    // Hits stand in the order of the page, so looking at a few of them is enough.
    while (low < high) {
      const middle = (low + high) >> 1;
      const box = this.range(text, this.spans[middle] as Span)?.getBoundingClientRect();
      if (box && box.bottom < 0) low = middle + 1;
      else high = middle;
    }
    return low < this.spans.length ? low : 0;
  }

  /** Brings a hit into sight. */
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
    // Code and tables scroll by themselves.
    const wide = range.startContainer.parentElement?.closest<HTMLElement>('pre, .gl-scroll');
    if (wide) {
      const frame = wide.getBoundingClientRect();
      if (box.left < frame.left || box.right > frame.right) wide.scrollLeft += box.left - frame.left - frame.width / 3;
    }
    const room = view.innerHeight;
    if (box.top < room * 0.1 || box.bottom > room * 0.85)
      sheet.scrollTo({ top: sheet.scrollTop + box.top - room / 3, behavior: 'instant' });
  }

  /** Marks words that a search has found, quietly. */
  async words(wanted: readonly { readonly text: string; readonly begins: boolean }[]): Promise<void> {
    if (wanted.length === 0) {
      this.unmark(WORDS);
      return;
    }
    const text = await this.text();
    if (!text) return;
    const spans = wanted.flatMap((one) => text.words(one.text, one.begins, MOST / 5));
    this.mark(WORDS, text, spans, 0);
  }

  clear(): void {
    this.asked++;
    this.spans = [];
    for (const name of [FOUND, HERE]) this.unmark(name);
    if (!this.highlights) this.page.getSelection()?.removeAllRanges();
  }

  /** The page goes. */
  stop(): void {
    this.gone = true;
  }

  private get view(): View | null {
    return this.page.defaultView as View | null;
  }

  private get highlights(): HighlightRegistry | undefined {
    return this.view?.CSS?.highlights;
  }

  private text(): Promise<PageText | null> {
    const parts = [...this.page.querySelectorAll('.gl-title, .gl-body')];
    this.reading ??= PageText.read(parts, () => !this.gone);
    return this.reading;
  }

  private range(text: PageText, { from, until }: Span): Range | null {
    const [start, end] = [text.place(from), text.place(until, true)];
    // A part of the page may have been changed since it was read.
    if (!start?.node.isConnected || !end?.node.isConnected) return null;
    const range = this.page.createRange();
    range.setStart(start.node, Math.min(start.offset, start.node.length));
    range.setEnd(end.node, Math.min(end.offset, end.node.length));
    return range;
  }

  /** WebKit paints a highlight that is replaced or taken away until something else is painted there; not one that was emptied. */
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
