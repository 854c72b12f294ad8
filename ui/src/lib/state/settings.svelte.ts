import { asIpcError, call, type Settings } from '../ipc';
import { t } from '../messages';
import { errorText } from '../messages/errors';
import { toasts } from './toasts.svelte';

export const SCALES = [0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;
export const SIDEBAR = { min: 180, max: 420 } as const;
export const LIST = { min: 260, max: 680 } as const;

const DEFAULTS: Settings = {
  theme: 'system',
  text_scale: 1,
  sidebar_width: 248,
  list_width: 372,
  unread_only: false,
  oldest_first: false,
  load_images: true,
  one_story: true,
  hold_future: false,
  versions_kept: 20,
  refresh_automatically: true,
  key_preset: 'gleaner',
  keys: {},
};

class SettingsState {
  value = $state.raw<Settings>(DEFAULTS);
  private systemDark = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    const dark = globalThis.matchMedia?.('(prefers-color-scheme: dark)');
    if (!dark) return;
    this.systemDark = dark.matches;
    dark.addEventListener('change', () => (this.systemDark = dark.matches));
  }

  readonly theme = $derived<'light' | 'dark'>(
    this.value.theme === 'system' ? (this.systemDark ? 'dark' : 'light') : this.value.theme,
  );
  /** CSS pixels of 1 rem. */
  readonly rootSize = $derived(16 * this.value.text_scale);

  async load(): Promise<void> {
    try {
      this.value = { ...DEFAULTS, ...(await call('settings')) };
    } catch (error) {
      // The start view speaks of a library that cannot be read; the window itself goes on with its defaults.
      console.warn('settings', error);
    }
  }

  change(part: Partial<Settings>): void {
    this.value = { ...this.value, ...part };
    clearTimeout(this.timer);
    // A dragged separator changes its width sixty times a second; once is enough for the library.
    this.timer = setTimeout(() => void this.save(), 300);
  }

  scale(direction: 1 | -1 | 0): void {
    const now = this.value.text_scale;
    const bigger = SCALES.find((scale) => scale > now + 0.001);
    const smaller = SCALES.findLast((scale) => scale < now - 0.001);
    this.change({ text_scale: direction === 0 ? 1 : ((direction > 0 ? bigger : smaller) ?? now) });
  }

  private async save(): Promise<void> {
    try {
      await call('save_settings', this.value);
    } catch (error) {
      toasts.show(t('toast.settings_failed', { what: errorText(asIpcError(error)).what }), { trouble: true });
    }
  }
}

export const settings = new SettingsState();
