import { call, type RefreshProgress, type RefreshScope } from '../ipc';
import { toasts } from './toasts.svelte';

/** Progress of the running refresh, or the result of the last one. */
class Refresh {
  progress = $state.raw<RefreshProgress | null>(null);
  private starting = $state(false);
  readonly running = $derived(this.starting || (this.progress?.running ?? false));

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

  cancel(): void {
    call('cancel_refresh').catch((error: unknown) => toasts.error(error));
  }
}

export const refresh = new Refresh();
