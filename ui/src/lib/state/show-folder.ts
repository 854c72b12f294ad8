/** Shows folders of Gleaner in the file manager. Loaded on demand. */
import { asIpcError, call, type ShownFolder } from '../ipc';
import { t } from '../messages';
import { copyText } from './feeds';
import { toasts } from './toasts.svelte';

export async function showFolder(folder: ShownFolder): Promise<void> {
  try {
    await call('show_folder', { folder });
  } catch (error) {
    const path = asIpcError(error).params['file'];
    if (path === undefined) return toasts.error(error);
    toasts.show(t('toast.folder_failed'), {
      detail: path,
      isError: true,
      action: { label: t('start.copy'), run: () => void copyText(path, t('start.copied')) },
    });
  }
}
