/** The preview of files before they are imported, the result of the import, and undoing it. Loaded on demand. */
import { call, type ImportPreview, type ImportSummary } from '../ipc';
import { inLine, t } from '../messages';
import { listed } from '../messages/format';
import { reading } from './article.svelte';
import { dialogs } from './dialogs.svelte';
import { importing } from './import.svelte';
import { list } from './list.svelte';
import { reloadList } from './navigation';
import { refresh } from './refresh.svelte';
import { toasts } from './toasts.svelte';
import { undo, type UndoEntry } from './undo.svelte';

class ImportResults {
  /** Previews of the files that wait for a confirmation. */
  previews = $state.raw<readonly ImportPreview[]>([]);
  /** Results since the import dialog was last closed. */
  summaries = $state.raw<readonly ImportSummary[]>([]);
  /** Undoes the imports of these results together. */
  entry = $state.raw<UndoEntry | null>(null);
  /** Id of the toast that offers to show a dialog. */
  private offerToast: number | null = null;

  onPrepared(previews: readonly ImportPreview[]): void {
    importing.progress = null;
    importing.draggedOver = false;
    this.previews = [...this.previews, ...previews];
    if (dialogs.open === null) this.showPreview();
    else if (dialogs.open.kind !== 'import_preview') {
      this.offer(t('import.preview.title'), false, () => this.showPreview());
      // The question is not lost with its toast.
      dialogs.whenClosed(() => this.showPreview());
    }
  }

  confirm(): void {
    this.previews = [];
    dialogs.close();
    call('confirm_import').catch((error: unknown) => toasts.error(error));
  }

  discard(): void {
    this.previews = [];
    call('discard_import').catch((error: unknown) => toasts.error(error));
  }

  onFinished(summary: ImportSummary): void {
    importing.progress = null;
    importing.draggedOver = false;
    const collecting = this.offerToast !== null || dialogs.open?.kind === 'import';
    this.summaries = collecting ? [...this.summaries, summary] : [summary];
    if (!collecting) this.entry = null;
    if (summary.undo !== null) this.remember();
    if (dialogs.open === null) this.show();
    // Do not replace another dialog: the user may have typed something there.
    else if (dialogs.open.kind !== 'import') {
      const message = t(summary.error ? 'import.done.failed' : 'import.done', { file: summary.file });
      this.offer(message, summary.error !== null, () => this.show());
    }
  }

  /** The dialog with the results was closed. */
  closed(): void {
    const { entry } = this;
    this.entry = null;
    if (entry && undo.has(entry)) toasts.show(entry.did ?? '', { action: undo.button(entry) });
  }

  /** One step undoes all files of a run. */
  private remember(): void {
    const added = this.summaries.filter((one) => one.undo !== null);
    const steps = added.flatMap((one) => one.undo ?? []);
    const feeds = added.reduce((sum, one) => sum + one.feeds_added + one.manual_feeds, 0);
    if (this.entry) undo.drop(this.entry);
    const did = feeds > 0 ? t('import.added', { count: feeds }) : t('import.done', { file: added.at(-1)?.file ?? '' });
    this.entry = importEntry(
      steps,
      did,
      added.some((one) => one.undo_keeps_articles),
      added.some((one) => one.marked > 0 || one.archive !== null),
    );
    undo.push(this.entry);
  }

  private show(): void {
    this.endOffer();
    dialogs.show({ kind: 'import' });
  }

  private showPreview(): void {
    this.endOffer();
    dialogs.whenClosed(null);
    if (this.previews.length > 0) dialogs.show({ kind: 'import_preview' });
  }

  private offer(message: string, isError: boolean, run: () => void): void {
    this.endOffer();
    this.offerToast = toasts.show(message, { isError, action: { label: t('import.show'), run } });
  }

  private endOffer(): void {
    if (this.offerToast !== null) toasts.dismiss(this.offerToast);
    this.offerToast = null;
  }
}

/** Reloads the list and the marks of the open article: an import also marks known articles, wherever they are. */
function reloadArticles(): void {
  void reading.reloadMarks();
  if (!list.searching) void reloadList();
}

/**
 * Returns the functions that undo and redo imports by their steps. `stay`: whether new articles stay; `marked`: whether known ones were
 * marked.
 */
function importEntry(steps: readonly number[], did: string, stay: boolean, marked: boolean): UndoEntry {
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
    restore: () => {
      refresh.forget();
      if (marked) reloadArticles();
    },
    undid: () =>
      feeds > 0 || kept.length > 0 ? t('import.undone', { count: feeds }) : t('toast.undone.what', { what: did }),
    undidDetail: () =>
      inLine([
        kept.length > 0 ? t('import.undone.kept', { titles: listed(kept.slice(0, 5)) }) : '',
        stay ? t('import.undone.articles') : '',
      ]) || undefined,
    again: async () => {
      try {
        for (const step of redo.toReversed()) await call('undo', { undo: step });
        undo.push(importEntry(steps, did, stay, marked));
        if (marked) reloadArticles();
      } catch (error) {
        toasts.error(error);
      }
    },
  };
}

export const importResults = new ImportResults();
