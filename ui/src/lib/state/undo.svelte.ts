import { asIpcError, call } from '../ipc';
import { t } from '../messages';
import { UndoStack } from '../undo-stack';
import { toasts } from './toasts.svelte';

/** One or several undo steps of the core, and what the window updates at once on undo. */
export type UndoEntry = { readonly step: number | readonly number[]; readonly restore: () => void };

class Undo {
  private stack = new UndoStack<UndoEntry>();

  /** Pushes a step on top, or directly below `above`. */
  push(entry: UndoEntry, above?: UndoEntry): void {
    this.stack.push(entry, above);
  }

  /** Removes a step; returns false if it is already gone. */
  drop(entry: UndoEntry): boolean {
    return this.stack.take(entry);
  }

  /** Clears the stack: steps of another library cannot be undone. */
  forget(): void {
    this.stack = new UndoStack<UndoEntry>();
  }

  /** Undoes the newest step, or the given one. */
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
      // The step still exists; the user can try again.
      if (asIpcError(error).code !== 'not_found') this.stack.push({ ...chosen, step: left });
      toasts.error(error);
    }
  }
}

export const undo = new Undo();
