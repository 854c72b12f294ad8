import { asIpcError, call, type DocumentForm, type ExportProgress } from '../ipc';
import { t } from '../messages';
import { toasts } from './toasts.svelte';

/** Everything out as one archive, and articles as documents. */
class Export {
  progress = $state.raw<ExportProgress | null>(null);

  /** So often it was heard that something is being written, or that it is to stop. */
  private signs = 0;

  heard(progress: ExportProgress | null): void {
    this.progress = progress;
    if (progress) this.signs++;
  }

  async everything(): Promise<void> {
    try {
      const done = await this.watch(() => call('export_everything'));
      if (done)
        toasts.show(t('archive.done', { count: done.articles, path: done.path }), { detail: t('archive.no_secrets') });
    } catch (error) {
      toasts.error(asIpcError(error));
    }
  }

  /** These articles, or else what a search finds. */
  async save(what: { ids: number[] } | { query: string }, title: string, form: DocumentForm): Promise<void> {
    const [ids, query] = 'ids' in what ? [what.ids, null] : [[], what.query];
    try {
      const done = await this.watch(() => call('save_articles', { ids, query, title, form }));
      if (done && form === 'notes' && done.articles === 0) toasts.show(t('notes.none'));
      else if (done) toasts.show(t('archive.done', { count: done.articles, path: done.path }));
    } catch (error) {
      toasts.error(asIpcError(error));
    }
  }

  /** Says so where it was begun and nothing came of it; where no file was chosen there is nothing to say. */
  private async watch<T>(write: () => Promise<T | null>): Promise<T | null> {
    const { progress, signs } = this;
    const done = await write();
    // Of an export that was under way already, the signs are its own.
    if (!done && !progress && this.signs > signs) toasts.show(t('archive.stopped'));
    return done;
  }

  cancel(): void {
    this.signs++;
    call('cancel_export').catch((error: unknown) => toasts.error(error));
  }
}

export const exporting = new Export();
