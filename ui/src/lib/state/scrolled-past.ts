/** Marks rows as read when they are scrolled past, in batches, each with its own undo step. */
import { list } from './list.svelte';
import { mark } from './marks';
import { settings } from './settings.svelte';

/** Milliseconds without scrolling that end a batch. */
const TOGETHER = 700;

class ScrolledPast {
  private ids = new Set<number>();
  private generation = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Called when rows `from` (inclusive) to `to` (exclusive) have left the view at the top. */
  passed(from: number, to: number): void {
    if (!settings.value.read_on_scroll || to <= from) return;
    if (this.generation !== list.generation) this.ids.clear();
    this.generation = list.generation;
    for (const row of list.rows.slice(from, to)) if (!row.read) this.ids.add(row.id);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.mark(), TOGETHER);
  }

  private mark(): void {
    const rows = [...this.ids].flatMap((id) => list.row(id) ?? []);
    this.ids.clear();
    if (this.generation === list.generation && rows.length > 0) void mark(rows, { read: true });
  }
}

export const scrolledPast = new ScrolledPast();
