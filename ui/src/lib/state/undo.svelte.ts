import { asIpcError, call } from '../ipc';
import { t } from '../messages';
import { UndoStack } from '../undo-stack';
import { toasts } from './toasts.svelte';

/** A step that the core can take back, or several together, and what the window does at once when it does. */
export type UndoEntry = { readonly step: number | readonly number[]; readonly restore: () => void };

class Undo {
  private stack = new UndoStack<UndoEntry>();

  /** The newest step, or the one before `above`. */
  push(entry: UndoEntry, above?: UndoEntry): void {
    this.stack.push(entry, above);
  }

  /** Forgets this step; false where it is gone already. */
  drop(entry: UndoEntry): boolean {
    return this.stack.take(entry);
  }

  /** What another library did cannot be taken back in this one. */
  forget(): void {
    this.stack = new UndoStack<UndoEntry>();
  }

  /** Takes back the newest step, or this one. */
  async take(entry?: UndoEntry): Promise<void> {
    const chosen = entry ?? this.stack.pop();
    if (!chosen || (entry && !this.stack.take(entry))) {
      toasts.show(t('toast.nothing_to_undo'));
      return;
    }
    const left = [chosen.step].flat();
    try {
      for (let step = left.at(-1); step !== undefined; step = left.at(-1)) {
        await call('undo', { undo: step });
        left.pop();
      }
      chosen.restore();
      toasts.show(t('toast.undone'));
    } catch (error) {
      // The library still has it, and another try may do.
      if (asIpcError(error).code !== 'not_found') this.stack.push({ ...chosen, step: left });
      toasts.error(error);
    }
  }
}

export const undo = new Undo();
