import { asIpcError, call, type ImportProgress, type ImportSummary } from '../ipc';
import { t } from '../messages';
import { dialogs } from './dialogs.svelte';
import { toasts } from './toasts.svelte';

/** Bringing feeds in from a file, and taking them out. */
class Import {
  progress = $state.raw<ImportProgress | null>(null);
  /** Files are held over the window. */
  over = $state(false);

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
    dialogs.show({ kind: 'import', summary });
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
