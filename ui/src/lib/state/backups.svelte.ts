import { asIpcError, call, type Backup, type Backups, type IpcError, type Renewed } from '../ipc';
import { dialogs } from './dialogs.svelte';
import { library } from './library.svelte';
import { notes } from './notes.svelte';
import { startAnew } from './start';
import { toasts } from './toasts.svelte';

export type Work = 'backing_up' | 'restoring' | 'recovering';

/** The copies of the library, and what is being done with them. */
class BackupsState {
  kept = $state.raw<Backups | null>(null);
  working = $state<Work | null>(null);
  /** The one that was made just now. */
  made = $state.raw<Backup | null>(null);
  /** Why the last work failed, and which it was. */
  trouble = $state.raw<{ readonly work: Work; readonly error: IpcError } | null>(null);

  /** What came of earlier work has been seen. */
  rest(): void {
    if (this.working) return;
    this.made = null;
    this.trouble = null;
  }

  async load(): Promise<void> {
    try {
      this.kept = await call('backups');
    } catch (error) {
      // Without a list there is nothing to choose from; what else can be done is still offered.
      console.warn('backups', error);
    }
  }

  async backUp(): Promise<void> {
    const made = await this.work('backing_up', () => call('back_up'));
    if (!made) return;
    this.made = made;
    await this.load();
  }

  restore({ name }: Backup): Promise<void> {
    return this.renew('restored', 'restoring', () => call('restore_backup', { name }));
  }

  recover(): Promise<void> {
    return this.renew('recovered', 'recovering', () => call('recover_library'));
  }

  private async renew(how: 'restored' | 'recovered', work: Work, ask: () => Promise<Renewed>): Promise<void> {
    const renewed = await this.work(work, async () => {
      // In a library that is broken there may be no saving any more: then its recovery is not to wait for that.
      await notes.settle().catch((error: unknown) => {
        if (work === 'restoring') throw error;
      });
      const renewed = await ask();
      dialogs.close();
      await startAnew();
      return renewed;
    });
    if (renewed) dialogs.show({ kind: 'renewed', how, renewed });
  }

  private async work<T>(work: Work, run: () => Promise<T>): Promise<T | null> {
    if (this.working) return null;
    this.rest();
    this.working = work;
    try {
      return await run();
    } catch (cause) {
      const error = asIpcError(cause);
      this.trouble = { work, error };
      // Who closed the settings meanwhile hears of it all the same.
      if (library.status === 'ready' && dialogs.open?.kind !== 'settings') toasts.error(error);
      return null;
    } finally {
      this.working = null;
    }
  }
}

export const backups = new BackupsState();
