/** The steps that can be undone and redone. */
import { asIpcError, call, type UndoStep } from '../ipc';
import { t } from '../messages';
import { listed } from '../messages/format';
import { UndoStack } from '../undo-stack';
import { toasts, type ToastAction } from './toasts.svelte';

/** One or several undo steps of the core, and what the window updates at once on undo. */
export type UndoEntry = {
  readonly step: number | readonly number[];
  readonly restore: () => void;
  /** What the step did, for the user. */
  readonly did?: string;
  /** Undoes one of its steps, if that is not the core's `undo`. */
  readonly undoStep?: (step: number) => Promise<unknown>;
  /** What undoing it did, if that can be said better than by `did`. */
  readonly undid?: string | (() => string);
  /** More details about undoing it. */
  readonly undidDetail?: () => string | undefined;
  /** Redoes it. */
  readonly again?: () => Promise<unknown>;
};

/** Number of feeds that a message names. */
const MAX_NAMED = 3;

/** Says which feeds could not be restored with the others. */
function lostText(titles: readonly string[]): string | undefined {
  if (titles.length === 0) return undefined;
  const others = titles.length - MAX_NAMED;
  const names = others > 0 ? [...titles.slice(0, MAX_NAMED), t('tree.several.feeds', { count: others })] : titles;
  return t('toast.lost_feeds', { titles: listed(names) });
}

class Undo {
  private stack = new UndoStack<UndoEntry>();
  /** Undone steps that can be redone. */
  private undone = new UndoStack<UndoEntry>();
  private redoing = false;
  /** What must be done before the next step is undone or done again: keys may be pressed faster than that. */
  private turns: Promise<unknown> = Promise.resolve();
  /** When a step was last added, done or undone, in milliseconds since 1970. */
  changedAt = 0;

  get canUndo(): boolean {
    return this.stack.size > 0;
  }

  get canRedo(): boolean {
    return this.undone.size > 0;
  }

  /** The newest step, while a message offers to undo it. What happens automatically goes below it, so that the key undoes it as well. */
  get offered(): UndoEntry | undefined {
    const { top } = this.stack;
    return top && toasts.shown.at(-1)?.action?.undoes === top ? top : undefined;
  }

  /** Returns the button of a message that undoes a step. */
  button(entry: UndoEntry): ToastAction {
    return { label: t('toast.undo'), run: () => void this.take(entry), undoes: entry };
  }

  /** Pushes a step on top, or directly below `above`. */
  push(entry: UndoEntry, above?: UndoEntry): void {
    this.changedAt = Date.now();
    this.stack.push(entry, above);
    // After a new action, nothing can be redone.
    if (this.redoing) return;
    this.undone = new UndoStack<UndoEntry>();
    toasts.endRedo();
  }

  /** Returns whether a step can still be undone. */
  has(entry: UndoEntry): boolean {
    return this.stack.has(entry);
  }

  /** Removes a step; returns false if it is already gone. */
  drop(entry: UndoEntry): boolean {
    return this.stack.take(entry);
  }

  /** Clears the stack: steps of another library cannot be undone. */
  forget(): void {
    this.stack = new UndoStack<UndoEntry>();
    this.undone = new UndoStack<UndoEntry>();
  }

  /** Completes when the actions begun so far are done. */
  get idle(): Promise<unknown> {
    return this.turns;
  }

  /** Undoing waits for an action that pushes its step when it is done. */
  async during<T>(action: Promise<T>): Promise<T> {
    this.turns = Promise.allSettled([this.turns, action]);
    return action;
  }

  /** Returns an action that undoing waits for. */
  action<A extends unknown[], T>(run: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
    return (...args) => this.during(run(...args));
  }

  /**
   * Returns an action as `action` does. Called again with the same subject while it runs, it is not begun a second time: a key
   * may be pressed again before its row is gone.
   */
  single<S, A extends unknown[], T>(
    keyOf: (subject: S) => string | number,
    run: (subject: S, ...more: A) => Promise<T>,
  ): (subject: S, ...more: A) => Promise<T> {
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not displayed
    const running = new Map<string | number, Promise<T>>();
    return (subject, ...more) => {
      const key = keyOf(subject);
      const action = running.get(key) ?? this.during(run(subject, ...more).finally(() => running.delete(key)));
      running.set(key, action);
      return action;
    };
  }

  private inTurn(run: () => Promise<void>): Promise<void> {
    const turn = this.turns.then(run);
    this.turns = turn.catch(() => {});
    return turn;
  }

  /** Undoes the newest step, or the given one. */
  take(entry?: UndoEntry): Promise<void> {
    return this.inTurn(() => this.undo(entry));
  }

  private async undo(entry?: UndoEntry): Promise<void> {
    const above = entry && this.stack.above(entry);
    const chosen = entry ?? this.stack.pop();
    if (!chosen || (entry && !this.stack.take(entry))) {
      toasts.show(t('toast.nothing_to_undo'));
      return;
    }
    this.changedAt = Date.now();
    const left = [chosen.step].flat();
    const lost: string[] = [];
    try {
      for (let step = left.at(-1); step !== undefined; step = left.at(-1)) {
        if (chosen.undoStep) await chosen.undoStep(step);
        else lost.push(...(await call('undo', { undo: step })).lost_feeds);
        left.pop();
      }
      chosen.restore();
      const undid = typeof chosen.undid === 'function' ? chosen.undid() : chosen.undid;
      const text = undid ?? (chosen.did ? t('toast.undone.what', { what: chosen.did }) : t('toast.undone'));
      if (chosen.again) this.undone.push(chosen);
      const redo = { label: t('toast.redo'), run: () => void this.redo(chosen), redoes: true };
      const action = chosen.again ? redo : undefined;
      toasts.show(text, { action, detail: chosen.undidDetail?.() ?? lostText(lost) });
    } catch (error) {
      // The step still exists; the user can try again. One that later steps prevent stays below these, and does not block older steps.
      const { code } = asIpcError(error);
      const isPrevented = code === 'already_subscribed' || code === 'account_exists' || code === 'rule_folder_deleted';
      if (code !== 'not_found' && (!isPrevented || above)) this.stack.push({ ...chosen, step: left }, above);
      toasts.error(error);
    }
  }

  /** Redoes the step that was undone last, or the given one. */
  redo(entry?: UndoEntry): Promise<void> {
    return this.inTurn(() => this.doAgain(entry));
  }

  private async doAgain(entry?: UndoEntry): Promise<void> {
    const chosen = entry ?? this.undone.pop();
    if (!chosen || (entry && !this.undone.take(entry))) {
      toasts.show(t('toast.nothing_to_redo'));
      return;
    }
    this.redoing = true;
    const before = this.stack.top;
    try {
      // Most actions report their own errors.
      await chosen.again?.();
    } catch (error) {
      toasts.error(error);
    } finally {
      this.redoing = false;
    }
    const made = this.stack.top;
    // Otherwise it failed, and said so.
    if (made !== before && chosen.did && made && toasts.shown.at(-1)?.text !== chosen.did)
      toasts.show(chosen.did, { action: this.button(made) });
  }
}

export const undo = new Undo();

/**
 * Returns the step that added something that `remove` deletes. Redoing restores it: added again, it would have another id, and
 * what followed could not be redone. `changed` is called with whether it was undone or redone.
 */
export function addedStep(did: string, remove: () => Promise<UndoStep>, changed: (undone: boolean) => void): UndoEntry {
  let removed = 0;
  return {
    // Not a step of the core.
    step: 0,
    did,
    restore: () => changed(true),
    undoStep: async () => {
      removed = (await remove()).undo;
    },
    again: async () => {
      await call('undo', { undo: removed });
      undo.push(addedStep(did, remove, changed));
      changed(false);
    },
  };
}
