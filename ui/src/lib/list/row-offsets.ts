/** Positions of the rows of the virtual list. */
import type { ArticleRow } from '../ipc';

/**
 * Row positions of the virtual list. Row heights follow from the data, so positions are exact and nothing is
 * measured. Heights are CSS pixels at 100 % times the text scale.
 */
export class RowOffsets {
  /** `tops[i]` is the top of row `i`; the last entry is the total height. */
  private tops: Float64Array = new Float64Array(1);
  length = 0;

  get total(): number {
    return this.tops[this.length] ?? 0;
  }

  /** Rebuilds positions from row `from` on. */
  set(count: number, height: (index: number) => number, from = 0): void {
    const start = Math.min(from, this.length, count);
    if (this.tops.length < count + 1) {
      const grown = new Float64Array(Math.max(count + 1, this.tops.length * 2));
      grown.set(this.tops.subarray(0, start + 1));
      this.tops = grown;
    }
    for (let i = start; i < count; i++) this.tops[i + 1] = (this.tops[i] ?? 0) + height(i);
    this.length = count;
  }

  /** Returns a new object with the same data, so that a reactive comparison sees a change. */
  further(): RowOffsets {
    const other = new RowOffsets();
    other.tops = this.tops;
    other.length = this.length;
    return other;
  }

  top(index: number): number {
    return this.tops[Math.max(0, Math.min(index, this.length))] ?? 0;
  }

  bottom(index: number): number {
    return this.top(index + 1);
  }

  /** Returns the row at a height; the last one below the end, 0 for an empty list. */
  at(y: number): number {
    let low = 0;
    let high = this.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.tops[middle] ?? 0) <= y) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  /** Returns the rows to draw, including some beyond both edges; `end` is exclusive. */
  window(scrollTop: number, height: number, overscan: number): { start: number; end: number } {
    if (this.length === 0) return { start: 0, end: 0 };
    const start = Math.max(0, this.at(scrollTop) - overscan);
    const end = Math.min(this.length, this.at(scrollTop + height) + 1 + overscan);
    return { start, end };
  }

  /** Returns the scroll position that makes a row fully visible with a margin. */
  reveal(index: number, scrollTop: number, height: number, margin: number): number {
    const top = this.top(index) - margin;
    const bottom = this.bottom(index) + margin;
    if (top < scrollTop) return Math.max(0, top);
    if (bottom > scrollTop + height) return Math.max(0, Math.min(bottom - height, this.top(index)));
    return scrollTop;
  }
}

type Measured = Pick<ArticleRow, 'id' | 'title' | 'excerpt' | 'thumbnail' | 'offline_thumbnail' | 'show_image'>;

/** Returns how many rows at the start of two lists have equal heights. */
export function alike(before: readonly Measured[], rows: readonly Measured[]): number {
  const most = Math.min(before.length, rows.length);
  for (let i = 0; i < most; i++) {
    const [one, other] = [before[i] as Measured, rows[i] as Measured];
    if (one === other) continue;
    if (one.id !== other.id || one.title !== other.title || one.excerpt !== other.excerpt) return i;
    if (one.thumbnail !== other.thumbnail || one.offline_thumbnail !== other.offline_thumbnail) return i;
    if (one.show_image !== other.show_image) return i;
  }
  return most;
}
