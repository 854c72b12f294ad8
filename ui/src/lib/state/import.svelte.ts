/** Imports of files, and the export of OPML. */
import { asIpcError, call, type ImportProgress } from '../ipc';
import { t } from '../messages';
import { toasts } from './toasts.svelte';

/** Import and export of OPML and other files. */
class Import {
  progress = $state.raw<ImportProgress | null>(null);
  /** Files are being dragged over the window. */
  draggedOver = $state(false);

  async choose(): Promise<void> {
    try {
      await call('import_opml');
    } catch (error) {
      toasts.error(error);
    }
  }

  cancel(): void {
    this.progress = null;
    call('cancel_import')
      .catch((error: unknown) => toasts.error(error))
      // Progress that was sent before the core knew is followed by no end.
      .finally(() => (this.progress = null));
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
