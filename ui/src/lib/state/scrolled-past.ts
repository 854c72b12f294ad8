/** Marks rows as read when they are scrolled past, in batches, each with its own undo step. */
import { list } from './list.svelte';
import { mark } from './marks';
import { settings } from './settings.svelte';

/** Milliseconds without scrolling that end a batch. */
const TOGETHER = 700;

class ScrolledPast {
  private readonly ids = new Set<number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    // Afterwards it would not be known which of them were marked since.
    list.beforeChange = () => void this.mark();
  }

  /** Called when rows `from` (inclusive) to `to` (exclusive) have left the view at the top. */
  passed(from: number, to: number): void {
    if (!settings.value.read_on_scroll || to <= from) return;
    for (const row of list.rows.slice(from, to)) if (!row.read) this.ids.add(row.id);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.mark(), TOGETHER);
  }

  /** Clears the batch: ids refer to another library now. */
  forget(): void {
    clearTimeout(this.timer);
    this.ids.clear();
  }

  /** Marks the batch. */
  async mark(): Promise<void> {
    const rows = list.rows.filter((row) => this.ids.has(row.id));
    this.forget();
    await mark(rows, { read: true });
  }
}

export const scrolledPast = new ScrolledPast();
