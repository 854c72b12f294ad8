import { asIpcError, call, type ImportProgress, type ImportSummary } from '../ipc';
import { t } from '../messages';
import { dialogs } from './dialogs.svelte';
import { toasts } from './toasts.svelte';

/** Bringing feeds in from a file, and taking them out. */
class Import {
  progress = $state.raw<ImportProgress | null>(null);
  /** Files are held over the window. */
  over = $state(false);
  /** What came of the files of one run: of all that are told while nobody has closed the dialog that tells it. */
  summaries = $state.raw<readonly ImportSummary[]>([]);
  /** The message that offers to show them. */
  private offer: number | null = null;

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

  finished(summary: ImportSummary): void {
    this.progress = null;
    this.over = false;
    const going = this.offer !== null || dialogs.open?.kind === 'import';
    this.summaries = going ? [...this.summaries, summary] : [summary];
    if (dialogs.open === null) this.show();
    // What else is open stays: something may have been typed there.
    else if (dialogs.open.kind !== 'import') this.offerIt(summary);
  }

  private show(): void {
    if (this.offer !== null) toasts.dismiss(this.offer);
    this.offer = null;
    dialogs.show({ kind: 'import' });
  }

  private offerIt({ file, error }: ImportSummary): void {
    if (this.offer !== null) toasts.dismiss(this.offer);
    const told = t(error ? 'import.ended.failed' : 'import.ended', { file });
    this.offer = toasts.show(told, {
      trouble: error !== null,
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
