/**
 * Highlighted passages on the page of the article frame. They are drawn with the page's highlight registry, so its
 * HTML stays unchanged and no code runs in the frame. Work is split into slices to keep the window responsive.
 */
import type { Note, Quote } from '../ipc';
import { PageText } from './passages';

/** Length of a slice in milliseconds. */
const SLICE = 8;

type Place = { readonly note: Note; readonly start: number; readonly range: Range };

/** Missing in older browsers; then passages are listed but not drawn. */
type Registry = { set(name: string, value: object): void; delete(name: string): void };
type View = { CSS?: { highlights?: Registry }; Highlight?: new (...ranges: Range[]) => object };

const NAMES = ['yellow', 'green', 'blue', 'pink', 'written', 'here'] as const;

export class AnnotatedPage {
  private whole: PageText | null = null;
  private places: Place[] = [];
  private turn = 0;

  constructor(
    private readonly document: Document,
    private readonly root: Element,
  ) {}

  /** Returns the selected passage; `null` if nothing is selected. */
  quote(): Quote | null {
    const range = this.selection();
    return range && this.text.quote(range);
  }

  selection(): Range | null {
    const selection = this.document.getSelection();
    if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
    const range = selection.getRangeAt(0);
    return range.intersectsNode(this.root) ? range : null;
  }

  /** Selects the first visible paragraph, for keyboard users. */
  selectFirst(): boolean {
    const blocks = [...this.root.querySelectorAll('p, li, blockquote, h2, h3, h4, pre, td, dd')];
    const block = blocks.find((one) => one.getBoundingClientRect().top >= 0 && one.textContent.trim()) ?? blocks.at(-1);
    if (!block) return false;
    this.document.getSelection()?.selectAllChildren(block);
    return true;
  }

  unselect(): void {
    this.document.getSelection()?.removeAllRanges();
  }

  /** Locates the passages. Returns the notes whose passage is missing; `null` if a later call has started. */
  async place(notes: readonly Note[]): Promise<ReadonlySet<number> | null> {
    const turn = ++this.turn;
    const before = new Map(this.places.map((place) => [place.note.id, place]));
    const places: Place[] = [];
    const lost = new Set<number>();
    let began = performance.now();
    for (const note of notes) {
      if (!note.quote) continue;
      const known = before.get(note.id);
      const span = known ? null : this.text.find(note.quote);
      const range = known?.range ?? (span && this.text.range(span));
      if (range) places.push({ note, start: known?.start ?? span?.start ?? 0, range });
      else lost.add(note.id);
      if (performance.now() - began < SLICE) continue;
      // Pause: thousands of passages take longer than a frame.
      await new Promise((resolve) => setTimeout(resolve));
      if (turn !== this.turn) return null;
      began = performance.now();
    }
    this.places = places.toSorted((a, b) => a.start - b.start);
    return lost;
  }

  /** Removes all highlights before the page is replaced. */
  clear(): void {
    this.turn++;
    this.places = [];
    this.draw(null);
  }

  /** Extends or shrinks the selection; `direction` and `by` are those of `Selection.modify`. */
  extend(direction: string, by: string): void {
    this.document.getSelection()?.modify('extend', direction, by);
  }

  draw(here: number | null): void {
    const view = this.document.defaultView as View | null;
    const [registry, Highlight] = [view?.CSS?.highlights, view?.Highlight];
    if (!registry || !Highlight) return;
    for (const name of NAMES) {
      const ranges = this.places.filter(({ note }) =>
        name === 'here' ? note.id === here : name === 'written' ? note.text !== '' : note.color === name,
      );
      if (ranges.length > 0) registry.set(`gl-note-${name}`, new Highlight(...ranges.map(({ range }) => range)));
      else registry.delete(`gl-note-${name}`);
    }
  }

  /** Ids of the notes in page order. */
  get order(): readonly number[] {
    return this.places.map(({ note }) => note.id);
  }

  /** Returns the note at the caret, which is where the page was last clicked. */
  atCaret(): { id: number; caret: string } | null {
    const selection = this.document.getSelection();
    const [node, offset] = [selection?.anchorNode ?? null, selection?.anchorOffset ?? 0];
    if (!node || !selection?.isCollapsed || !this.root.contains(node)) return null;
    const found = this.places.filter(({ range }) => range.isPointInRange(node, offset));
    // If passages overlap, take the shortest: the others can be reached next to it.
    const note = found.toSorted((a, b) => a.range.toString().length - b.range.toString().length)[0]?.note;
    return note ? { id: note.id, caret: `${note.id} ${offset} ${node.textContent?.length ?? 0}` } : null;
  }

  /** Scrolls to the passage of a note. */
  reveal(id: number): boolean {
    const range = this.places.find(({ note }) => note.id === id)?.range;
    const sheet = this.document.scrollingElement;
    if (!range || !sheet) return false;
    const { top, bottom } = range.getBoundingClientRect();
    if (top < 0 || bottom > sheet.clientHeight)
      sheet.scrollBy({ top: top - sheet.clientHeight / 3, behavior: 'instant' });
    return true;
  }

  private get text(): PageText {
    return (this.whole ??= new PageText(this.root));
  }
}
