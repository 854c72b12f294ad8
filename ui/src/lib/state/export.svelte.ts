import { asIpcError, call, type DocumentForm, type ExportProgress } from '../ipc';
import { t } from '../messages';
import { toasts } from './toasts.svelte';

/** Everything out as one archive, and articles as documents. */
class Export {
  progress = $state.raw<ExportProgress | null>(null);

  async everything(): Promise<void> {
    try {
      const done = await call('export_everything');
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
      const done = await call('save_articles', { ids, query, title, form });
      if (done) toasts.show(t('archive.done', { count: done.articles, path: done.path }));
    } catch (error) {
      toasts.error(asIpcError(error));
    }
  }

  cancel(): void {
    call('cancel_export').catch((error: unknown) => toasts.error(error));
  }
}

export const exporting = new Export();
