import { asIpcError, call, type ImportPreview, type ImportProgress, type ImportSummary } from '../ipc';
import { t } from '../messages';
import { dialogs } from './dialogs.svelte';
import { toasts } from './toasts.svelte';
import { undo, type UndoEntry } from './undo.svelte';

/** Import and export of OPML and other files. */
class Import {
  progress = $state.raw<ImportProgress | null>(null);
  /** Files are being dragged over the window. */
  draggedOver = $state(false);
  /** What the files contain that wait for a confirmation. */
  previews = $state.raw<readonly ImportPreview[]>([]);
  /** Results since the import dialog was last closed. */
  summaries = $state.raw<readonly ImportSummary[]>([]);
  /** Undoes the imports of these results together. */
  entry = $state.raw<UndoEntry | null>(null);
  /** Id of the toast that offers to show a dialog. */
  private offerToast: number | null = null;

  async choose(): Promise<void> {
    try {
      await call('import_opml');
    } catch (error) {
      toasts.error(error);
    }
  }

  cancel(): void {
    this.progress = null;
    call('cancel_import').catch((error: unknown) => toasts.error(error));
  }

  onPrepared(previews: readonly ImportPreview[]): void {
    this.progress = null;
    this.draggedOver = false;
    this.previews = [...this.previews, ...previews];
    if (dialogs.open === null) this.showPreview();
    else if (dialogs.open.kind !== 'import_preview')
      this.offer(t('import.preview.title'), false, () => this.showPreview());
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
    this.progress = null;
    this.draggedOver = false;
    const collecting = this.offerToast !== null || dialogs.open?.kind === 'import';
    this.summaries = collecting ? [...this.summaries, summary] : [summary];
    if (!collecting) this.entry = null;
    // Rarely needed at start.
    if (summary.undo !== null) void import('./import-undo').then(({ remember }) => remember());
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

  private show(): void {
    this.endOffer();
    dialogs.show({ kind: 'import' });
  }

  private showPreview(): void {
    this.endOffer();
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
