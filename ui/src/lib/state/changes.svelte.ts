/** The comparison of two versions of the open article. */
import { asIpcError, call, type Comparison, type IpcError } from '../ipc';
import { reading } from './article.svelte';

/** The comparison of two versions of the open article, while it is shown. */
class Changes {
  shown = $state(false);
  /** When the compared versions were replaced, in Unix milliseconds; `null` is the current version. */
  older = $state<number | null>(null);
  newer = $state<number | null>(null);
  comparison = $state.raw<Comparison | null>(null);
  error = $state.raw<IpcError | null>(null);
  /** Index of the current change and number of changes; set by the frame. */
  place = $state(-1);
  count = $state<number | null>(null);

  private request = 0;

  get possible(): boolean {
    return (reading.article?.versions.length ?? 0) > 0;
  }

  toggle(): void {
    if (this.shown) this.hide();
    else this.compareLatest();
  }

  /** Shows what a refresh has changed, also if older versions are being compared. */
  showUpdate(): void {
    reading.showUpdate();
    this.compareLatest();
  }

  private compareLatest(): void {
    void this.compare(reading.article?.versions[0] ?? null, null);
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
    // Save the position in the article, not in the comparison.
    if (!this.shown) reading.savePosition();
    // The latest request for the open article wins.
    const request = ++this.request;
    const overtaken = () => request !== this.request || reading.id !== id || !this.shown;
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
