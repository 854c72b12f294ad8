/** Marks rows as read when they are scrolled past, in batches, each with its own undo step. */
import type { ArticleRow } from '../ipc';
import { list } from './list.svelte';
import { mark } from './marks';
import { settings } from './settings.svelte';

/** Milliseconds without scrolling that end a batch. */
const TOGETHER = 700;

class ScrolledPast {
  private rows = new Map<number, ArticleRow>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Called when rows `from` (inclusive) to `to` (exclusive) have left the view at the top. */
  passed(from: number, to: number): void {
    if (!settings.value.read_on_scroll || to <= from) return;
    for (const row of list.rows.slice(from, to)) if (!row.read) this.rows.set(row.id, row);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.mark(), TOGETHER);
  }

  /** Another list may be shown by now. */
  private mark(): void {
    const rows = [...this.rows.values()].map((row) => list.row(row.id) ?? row);
    this.rows.clear();
    void mark(rows, { read: true });
  }
}

export const scrolledPast = new ScrolledPast();
