/** Undoing imports, and doing them again. */
import { call } from '../ipc';
import { t } from '../messages';
import { listed } from '../messages/format';
import { importing } from './import.svelte';
import { toasts } from './toasts.svelte';
import { undo, type UndoEntry } from './undo.svelte';

/** Offers to undo the imports that are shown, all files of a run in one step. */
export function remember(): void {
  const added = importing.summaries.filter((one) => one.undo !== null);
  const steps = added.flatMap((one) => one.undo ?? []);
  const feeds = added.reduce((sum, one) => sum + one.feeds_added, 0);
  if (importing.entry) undo.drop(importing.entry);
  importing.entry = importEntry(steps, t('import.added', { count: feeds }));
  undo.push(importing.entry);
}

/** Returns what undoes imports by their steps, and what does them again. */
function importEntry(steps: readonly number[], did: string): UndoEntry {
  const redo: number[] = [];
  let feeds = 0;
  let kept: string[] = [];
  return {
    step: steps,
    did,
    undoStep: async (step) => {
      const undone = await call('undo_import', { undo: step });
      redo.push(undone.redo);
      feeds += undone.feeds;
      kept = [...kept, ...undone.kept];
    },
    restore: () => {},
    undid: () => t('import.undone', { count: feeds }),
    undidDetail: () =>
      kept.length > 0 ? t('import.undone.kept', { count: kept.length, titles: listed(kept.slice(0, 5)) }) : undefined,
    again: async () => {
      try {
        for (const step of redo.toReversed()) await call('undo', { undo: step });
        undo.push(importEntry(steps, did));
      } catch (error) {
        toasts.error(error);
      }
    },
  };
}
