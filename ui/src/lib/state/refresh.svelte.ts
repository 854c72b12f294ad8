/** The refresh that is running, or the last one. */
import { call, type RefreshProgress, type RefreshScope } from '../ipc';
import { toasts } from './toasts.svelte';

/** Milliseconds without progress before the feeds are named that a refresh waits for. */
const NAMED_AFTER = 2000;

/** Progress of the running refresh, or the result of the last one. */
class Refresh {
  progress = $state.raw<RefreshProgress | null>(null);
  /** Ids of the feeds whose servers take long to respond. */
  waitingFor = $state.raw<readonly number[]>([]);
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of new articles is no longer right. */
  private stale = false;
  private starting = $state(false);
  readonly running = $derived(this.starting || (this.progress?.running ?? false));

  onProgress(progress: RefreshProgress | null): void {
    const isRunning = progress?.running ?? false;
    this.progress = this.stale && progress ? (isRunning ? { ...progress, new_articles: 0 } : null) : progress;
    this.stale &&= isRunning;
    this.waitingFor = [];
    clearTimeout(this.timer);
    if (!progress?.running || progress.waiting_for.length === 0) return;
    this.timer = setTimeout(() => (this.waitingFor = progress.waiting_for), NAMED_AFTER);
  }

  async start(scope: RefreshScope): Promise<void> {
    if (this.running) return;
    this.starting = true;
    try {
      await call('refresh', scope);
    } catch (error) {
      toasts.error(error);
    } finally {
      this.starting = false;
    }
  }

  /** Forgets the number of new articles, also that of a running refresh: some of them were removed. */
  forget(): void {
    this.stale = true;
    this.onProgress(this.progress);
  }

  cancel(): void {
    call('cancel_refresh').catch((error: unknown) => toasts.error(error));
  }
}

export const refresh = new Refresh();
