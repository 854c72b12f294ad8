import { asIpcError, call, type ImportProgress, type ImportSummary } from '../ipc';
import { t } from '../messages';
import { dialogs } from './dialogs.svelte';
import { toasts } from './toasts.svelte';

/** Import and export of OPML and other files. */
class Import {
  progress = $state.raw<ImportProgress | null>(null);
  /** Files are being dragged over the window. */
  draggedOver = $state(false);
  /** Results since the import dialog was last closed. */
  summaries = $state.raw<readonly ImportSummary[]>([]);
  /** Id of the toast that offers to show the results. */
  private offerToast: number | null = null;

  async choose(): Promise<void> {
    try {
      await call('import_opml');
    } catch (error) {
      toasts.error(error);
    }
  }

  cancel(): void {
    call('cancel_import').catch((error: unknown) => toasts.error(error));
  }

  onFinished(summary: ImportSummary): void {
    this.progress = null;
    this.draggedOver = false;
    const collecting = this.offerToast !== null || dialogs.open?.kind === 'import';
    this.summaries = collecting ? [...this.summaries, summary] : [summary];
    if (dialogs.open === null) this.show();
    // Do not replace another dialog: the user may have typed something there.
    else if (dialogs.open.kind !== 'import') this.offerResults(summary);
  }

  private show(): void {
    if (this.offerToast !== null) toasts.dismiss(this.offerToast);
    this.offerToast = null;
    dialogs.show({ kind: 'import' });
  }

  private offerResults({ file, error }: ImportSummary): void {
    if (this.offerToast !== null) toasts.dismiss(this.offerToast);
    const message = t(error ? 'import.done.failed' : 'import.done', { file });
    this.offerToast = toasts.show(message, {
      isError: error !== null,
      action: { label: t('import.show'), run: () => this.show() },
    });
  }

  async export(): Promise<void> {
    try {
      const path = await call('export_opml');
      if (path) toasts.show(t('export.done', { path }));
    } catch (error) {
      toasts.error(asIpcError(error));
    }
  }
}

export const importing = new Import();
