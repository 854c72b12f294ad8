/** Backups of the library: creating, restoring, recovering. */
import { asIpcError, call, type Backup, type Backups, type IpcError, type RestoredLibrary } from '../ipc';
import { dialogs } from './dialogs.svelte';
import { library } from './library.svelte';
import { notes } from './notes.svelte';
import { player } from './player.svelte';
import { restart } from './start';
import { toasts } from './toasts.svelte';

type Operation = 'backing_up' | 'restoring' | 'recovering';

/** Backups of the library and the backup, restore or recovery that is running. */
class BackupsState {
  stored = $state.raw<Backups | null>(null);
  running = $state<Operation | null>(null);
  /** The backup that was just created. */
  created = $state.raw<Backup | null>(null);
  /** Why the last operation failed, and which one it was. */
  failure = $state.raw<{ readonly work: Operation; readonly error: IpcError } | null>(null);

  /** Clears the result of the last operation. */
  clearResult(): void {
    if (this.running) return;
    this.created = null;
    this.failure = null;
  }

  async load(): Promise<void> {
    try {
      this.stored = await call('backups');
    } catch (error) {
      // Without the list nothing can be restored, but backing up and recovering still work.
      console.warn('backups', error);
    }
  }

  async backUp(): Promise<void> {
    const created = await this.work('backing_up', () => call('create_backup'));
    if (!created) return;
    this.created = created;
    await this.load();
  }

  restore({ name }: Backup): Promise<void> {
    return this.replaceLibrary('restored', 'restoring', () => call('restore_backup', { name }));
  }

  recover(): Promise<void> {
    return this.replaceLibrary('recovered', 'recovering', () => call('recover_library'));
  }

  private async replaceLibrary(
    how: 'restored' | 'recovered',
    work: Operation,
    ask: () => Promise<RestoredLibrary>,
  ): Promise<void> {
    const restored = await this.work(work, async () => {
      // A damaged library may refuse to save; that must not block its recovery.
      await notes.saveDraft().catch((error: unknown) => {
        if (work === 'restoring') throw error;
      });
      // An episode that plays on would save its position in the library that replaces this one.
      player.forget();
      const restored = await ask();
      dialogs.close();
      await restart();
      return restored;
    });
    if (restored) dialogs.show({ kind: 'restored', how, library: restored });
  }

  private async work<T>(work: Operation, run: () => Promise<T>): Promise<T | null> {
    if (this.running) return null;
    this.clearResult();
    this.running = work;
    try {
      return await run();
    } catch (cause) {
      const error = asIpcError(cause);
      this.failure = { work, error };
      // Report the error even if the user has closed the settings meanwhile.
      if (library.status === 'ready' && dialogs.open?.kind !== 'settings') toasts.error(error);
      return null;
    } finally {
      this.running = null;
    }
  }
}

export const backups = new BackupsState();
