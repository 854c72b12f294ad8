/**
 * Widths of titles and excerpts in one line, measured by the browser. Heights of rows follow from them and from the
 * list's width by arithmetic, so resizing the list measures nothing.
 */
import type { ArticleRow, ListLayout } from '../ipc';
import { rowTexts } from '../repeated-title';

/** Characters that are measured: more never fit into one line. */
const MEASURED = 240;

type Widths = { readonly title: string; readonly excerpt: string; readonly widths: readonly [number, number] };
type Texts = Pick<ArticleRow, 'id' | 'title' | 'excerpt' | 'language'>;
/** A title, an excerpt and their language, on which the font of some scripts depends. */
export type MeasuredTexts = readonly [string, string, string?];

export class TextWidths {
  private known = new Map<number, Widths>();

  /** `measure` returns the widths of texts in the two fonts. */
  constructor(private readonly measure: (texts: readonly MeasuredTexts[]) => [number, number][]) {}

  forget(): void {
    this.known.clear();
  }

  /**
   * Measures rows that are not known yet, in one layout: all before the index `until`, and further ones up to `most`. Returns the index of
   * the first row that it measured, and how many are left.
   */
  prepare(rows: readonly Texts[], until: number, most: number): { first: number; left: number } {
    const missing: number[] = [];
    let left = 0;
    rows.forEach(({ id, title, excerpt }, i) => {
      const known = this.known.get(id);
      if (known?.title === title && known.excerpt === excerpt) return;
      if (i < until || missing.length < most) missing.push(i);
      else left++;
    });
    const [first] = missing;
    if (first === undefined) return { first: rows.length, left };
    const texts = missing.map((i) => rows[i] as Texts);
    const cut = (text: string) => text.slice(0, MEASURED);
    const widths = this.measure(
      texts.map((row) => {
        const { title, excerpt } = rowTexts(row);
        return [cut(title), cut(excerpt), row.language];
      }),
    );
    texts.forEach(({ id, title, excerpt }, i) => this.known.set(id, { title, excerpt, widths: widths[i] ?? [0, 0] }));
    return { first, left };
  }

  /**
   * Returns the widths of a row's title and excerpt in CSS pixels; 0 for an empty text. Rows that are not measured yet
   * count as long ones: too low, more of them than needed would be loaded, and places within them would not exist.
   */
  of({ id, title, excerpt }: Texts): readonly [number, number] {
    return this.known.get(id)?.widths ?? [title ? Infinity : 0, excerpt ? Infinity : 0];
  }
}

/** Measures texts in a hidden element of the list, in one layout, with the fonts of Row.svelte. */
export function measureIn(
  host: HTMLElement,
  layout: ListLayout,
): (texts: readonly MeasuredTexts[]) => [number, number][] {
  const [titleSize, excerptSize] = layout === 'magazine' ? ['--text-title', '--text-l'] : ['--text-l', '--text-m'];
  return (texts) => {
    const box = document.createElement('div');
    box.setAttribute('aria-hidden', 'true');
    box.className = 'measuring';
    const line = (text: string, weight: string, size: string, language = '') => {
      const span = document.createElement('span');
      if (language) span.lang = language;
      span.style.display = 'table';
      span.style.fontWeight = weight;
      span.style.fontSize = `var(${size})`;
      span.textContent = text;
      box.append(span);
      return span;
    };
    const spans = texts.map(
      ([title, excerpt, language]) =>
        [line(title, '600', titleSize, language), line(excerpt, '400', excerptSize, language)] as const,
    );
    host.append(box);
    const widths = spans.map(([title, excerpt]): [number, number] => [
      title.getBoundingClientRect().width,
      excerpt.getBoundingClientRect().width,
    ]);
    box.remove();
    return widths;
  };
}
