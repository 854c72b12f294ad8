/** New versions of Gleaner: those that it installs itself, and those installed by others while it is running. */
import { untrack } from 'svelte';
import { call, type UpdateProgress } from '../ipc';
import { t } from '../messages';
import { dialogs } from './dialogs.svelte';
import { storeBeforeQuitting } from './quit';
import { settings } from './settings.svelte';
import { toasts } from './toasts.svelte';

const HOUR = 60 * 60 * 1000;

class Update {
  /** The new version is used after a restart. */
  installed = $state(false);
  checking = $state(false);
  /** The version that can be installed; `null` if this is the latest, `undefined` if that is unknown. */
  found = $state<string | null | undefined>();
  /** While an update is downloaded. */
  progress = $state.raw<UpdateProgress | null>(null);
  error = $state.raw<unknown>(null);
  /** Derived, since the settings are replaced as a whole at every change. */
  private readonly daily = $derived(settings.value.find_updates);

  /** Looks for a new version once a day, if the setting is on. Returns a function that stops it. */
  watch(): (() => void) | undefined {
    if (!this.daily) return;
    const check = async () => {
      if (this.installed || this.progress) return;
      // A failed check is repeated after an hour; errors are shown only if the user checks for updates.
      const found = await call('find_update', { daily: true }).catch(() => undefined);
      if (!found || found === this.found) return;
      this.found = found;
      toasts.show(t('update.available', { version: found }), {
        action: { label: t('update.show'), run: () => dialogs.show({ kind: 'about' }) },
      });
    };
    untrack(() => void check());
    const timer = setInterval(() => void check(), HOUR);
    return () => clearInterval(timer);
  }

  async check(): Promise<void> {
    this.error = null;
    this.checking = true;
    try {
      this.found = await call('find_update', { daily: false });
    } catch (error) {
      this.error = error;
    }
    this.checking = false;
  }

  async install(): Promise<void> {
    this.error = null;
    this.progress = { received: 0, total: null };
    try {
      await call('install_update');
    } catch (error) {
      this.error = error;
      // Another update may be offered in the meantime.
      this.found = undefined;
    }
    this.progress = null;
  }

  cancel(): void {
    call('cancel_update').catch((error: unknown) => toasts.error(error));
  }

  onProgress(progress: UpdateProgress): void {
    if (this.progress) this.progress = progress;
  }

  onInstalled(): void {
    // The core says so each time that the window gets the focus.
    if (this.installed) return;
    this.installed = true;
    toasts.show(t('update.installed'), {
      detail: t('update.installed.do'),
      action: { label: t('update.restart'), run: () => void this.restart() },
    });
  }

  async restart(): Promise<void> {
    await storeBeforeQuitting();
    try {
      await call('restart');
    } catch (error) {
      toasts.error(error);
    }
  }
}

export const update = new Update();
