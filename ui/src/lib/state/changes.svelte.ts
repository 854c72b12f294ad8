import { asIpcError, call, type Comparison, type IpcError } from '../ipc';
import { reading } from './article.svelte';

/** What changed between two versions of the article in the reading pane, while that is shown. */
class Changes {
  shown = $state(false);
  /** By when they gave way to the next; `null`: as it is now. */
  older = $state<number | null>(null);
  newer = $state<number | null>(null);
  comparison = $state.raw<Comparison | null>(null);
  error = $state.raw<IpcError | null>(null);
  /** The change that is in sight, from 0, and how many there are, as soon as the frame says so. */
  place = $state(-1);
  count = $state<number | null>(null);

  private asked = 0;

  get possible(): boolean {
    return (reading.article?.versions.length ?? 0) > 0;
  }

  toggle(): void {
    if (this.shown) this.hide();
    else if (this.possible) void this.compare(reading.article?.versions[0] ?? null, null);
  }

  hide(): void {
    this.shown = false;
    this.comparison = null;
    this.count = null;
    this.error = null;
  }

  async compare(older: number | null, newer: number | null): Promise<void> {
    const id = reading.article?.id;
    if (id === undefined || older === null || reading.loading) return;
    // Where the article was left is not where its changes are.
    if (!this.shown) reading.keepPlace();
    // The pair asked for last wins, of the article that is open.
    const asked = ++this.asked;
    const overtaken = () => asked !== this.asked || reading.id !== id || !this.shown;
    this.shown = true;
    this.older = older;
    this.newer = newer;
    this.error = null;
    try {
      const comparison = await call('compare_versions', { id, older, newer });
      if (overtaken()) return;
      this.comparison = comparison;
      this.place = -1;
      this.count = null;
    } catch (cause) {
      if (overtaken()) return;
      this.comparison = null;
      this.error = asIpcError(cause);
    }
  }
}

export const changes = new Changes();
