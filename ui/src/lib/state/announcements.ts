/** Messages that are shown once after a start: about a crash of the last run, or an update. */
import { call } from '../ipc';
import { t } from '../messages';
import { dialogs } from './dialogs.svelte';
import { copyDiagnostics } from './feeds';
import { toasts } from './toasts.svelte';

export async function announce(): Promise<void> {
  if (await call('crash_reported')) {
    const copy = { label: t('menu.diagnostics'), run: () => void copyDiagnostics() };
    toasts.show(t('crash.found'), { detail: t('crash.found.hint'), isError: true, action: copy });
  }
  const version = await call('updated');
  if (version !== null) {
    const news = { label: t('guide.news'), run: () => dialogs.show({ kind: 'guide', page: 'news' }) };
    toasts.show(t('guide.updated', { version }), { action: news });
  }
}
