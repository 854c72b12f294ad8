/** An update that replaced the program while it runs. */
import { call } from '../ipc';
import { t } from '../messages';
import { toasts } from './toasts.svelte';

class Update {
  /** The new version is used after a restart. */
  installed = $state(false);

  onInstalled(): void {
    // The core says so each time that the window gets the focus.
    if (this.installed) return;
    this.installed = true;
    toasts.show(t('update.installed'), {
      detail: t('update.installed.do'),
      action: { label: t('update.restart'), run: () => this.restart() },
    });
  }

  restart(): void {
    call('restart').catch((error: unknown) => toasts.error(error));
  }
}

export const update = new Update();
