/** Exports of the library and of articles. */
import { asIpcError, call, type DocumentFormat, type ExportProgress } from '../ipc';
import { t } from '../messages';
import { toasts } from './toasts.svelte';

/** Exports: the whole library as an archive, and articles as documents. */
class Export {
  progress = $state.raw<ExportProgress | null>(null);

  /** Counts progress events and cancellations, to detect whether anything was written. */
  private events = 0;

  onProgress(progress: ExportProgress | null): void {
    this.progress = progress;
    if (progress) this.events++;
  }

  async everything(): Promise<void> {
    try {
      const done = await this.reportCancelled(() => call('export_archive'));
      if (done)
        toasts.show(t('archive.done', { count: done.articles, path: done.path }), { detail: t('archive.no_secrets') });
    } catch (error) {
      toasts.error(asIpcError(error));
    }
  }

  /** Exports the given articles, or the results of a search. */
  async save(what: { ids: number[] } | { query: string }, title: string, form: DocumentFormat): Promise<void> {
    const [ids, query] = 'ids' in what ? [what.ids, null] : [[], what.query];
    try {
      const done = await this.reportCancelled(() => call('save_articles', { ids, query, title, format: form }));
      if (done && form === 'notes' && done.articles === 0) toasts.show(t('notes.none'));
      else if (done) toasts.show(t('archive.done', { count: done.articles, path: done.path }));
    } catch (error) {
      toasts.error(asIpcError(error));
    }
  }

  /** Shows a toast if an export started and was cancelled; choosing no file is silent. */
  private async reportCancelled<T>(write: () => Promise<T | null>): Promise<T | null> {
    const { progress, events } = this;
    const done = await write();
    // If an export was running already, the events belong to that one.
    if (!done && !progress && this.events > events) toasts.show(t('archive.cancelled'));
    return done;
  }

  cancel(): void {
    this.events++;
    call('cancel_export').catch((error: unknown) => toasts.error(error));
  }
}

export const exporting = new Export();
