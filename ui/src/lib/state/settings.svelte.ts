/** The settings: limits, defaults, and changes, which the core stores. */
import { asIpcError, call, type Typography, type Settings } from '../ipc';
import { t } from '../messages';
import { errorText } from '../messages/errors';
import { SaveQueue } from './save-queue';
import { toasts } from './toasts.svelte';

export const SCALES = [0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;
export const SIDEBAR = { min: 180, max: 420 } as const;
export const LIST = { min: 260, max: 800 } as const;
/** Minimum height of the list above the article, and its maximum of the height of both. */
export const LIST_HEIGHT = { min: 120, max: 0.7 } as const;

/** Limits and steps of the typography settings. */
export const TYPOGRAPHY_LIMITS = {
  size: { min: 0.7, max: 2, step: 0.1 },
  line_length: { min: 40, max: 120, step: 4 },
  line_height: { min: 1.2, max: 2.2, step: 0.1 },
} as const;

export const TYPOGRAPHY_DEFAULTS: Typography = {
  font: 'serif',
  size: 1,
  line_length: 66,
  line_height: 1.62,
  hyphenation: true,
  css: '',
};

/** A theme as displayed. */
export type Shown = 'light' | 'dark' | 'sepia' | 'contrast' | 'contrast-dark';

const DEFAULTS: Settings = {
  theme: 'system',
  language: 'system',
  text_scale: 1,
  sidebar_width: 248,
  list_width: 372,
  list_height: 320,
  arrangement: 'widescreen',
  list_layout: 'panes',
  columns: ['feed', 'author', 'date', 'length'],
  column_widths: { feed: 160, author: 136, date: 96, length: 80 },
  density: 'comfortable',
  unread_only: false,
  oldest_first: false,
  hide_read: false,
  sidebar_sections: { searches: true, tags: true, notes_and_hidden: true, languages: false },
  hide_sidebar: false,
  collapse_tags: false,
  collapse_languages: false,
  feed_icons: true,
  read_on_scroll: false,
  load_images: true,
  thumbnails: true,
  full_text: 'never',
  playback_speed: 1,
  combine_duplicates: true,
  schedule_future_articles: false,
  max_versions: 20,
  refresh_automatically: true,
  find_updates: false,
  on_close: 'ask',
  quiet_hours: { enabled: false, from: 22, to: 7 },
  typography: TYPOGRAPHY_DEFAULTS,
  key_preset: 'gleaner',
  keys: {},
};

/** The theme of the first frame, which the shell sets before the page is loaded. */
const first = globalThis.document?.documentElement.dataset['theme'] as Shown | undefined;

class SettingsState {
  value = $state.raw<Settings>(
    first ? { ...DEFAULTS, theme: first === 'contrast-dark' ? 'contrast' : first } : DEFAULTS,
  );
  private systemDark = $state(false);
  private systemContrast = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly saves = new SaveQueue();

  constructor() {
    this.follow('(prefers-color-scheme: dark)', (dark) => (this.systemDark = dark));
    this.follow('(prefers-contrast: more)', (contrast) => (this.systemContrast = contrast));
  }

  private follow(query: string, update: (matches: boolean) => void): void {
    const media = globalThis.matchMedia?.(query);
    if (!media) return;
    update(media.matches);
    media.addEventListener('change', () => update(media.matches));
  }

  readonly theme = $derived.by<Shown>(() => {
    const { theme } = this.value;
    const dark = this.systemDark;
    if (theme === 'contrast' || (theme === 'system' && this.systemContrast)) return dark ? 'contrast-dark' : 'contrast';
    return theme === 'system' ? (dark ? 'dark' : 'light') : theme;
  });
  /** CSS pixels of 1 rem. */
  readonly rootSize = $derived(16 * this.value.text_scale);

  async load(): Promise<void> {
    // Loaded settings win over changes that have not been saved.
    clearTimeout(this.timer);
    this.timer = undefined;
    try {
      this.value = { ...DEFAULTS, ...(await call('settings')) };
    } catch (error) {
      // The startup view reports an unreadable library; the window uses the defaults.
      console.warn('settings', error);
    }
  }

  /** Applies settings that were changed outside the window. Settings that are being changed here are saved later, and replace them. */
  changedOutside(value: Settings): void {
    if (this.timer === undefined) this.value = { ...DEFAULTS, ...value };
    else this.value = { ...this.value, on_close: value.on_close, refresh_automatically: value.refresh_automatically };
  }

  change(part: Partial<Settings>): void {
    this.value = { ...this.value, ...part };
    clearTimeout(this.timer);
    // Dragging a separator changes the width 60 times a second; save once.
    this.timer = setTimeout(() => void this.store(), 300);
  }

  /** Saves at once a change that is waiting for more changes. Resolves when it and earlier ones are saved. */
  async store(): Promise<void> {
    if (this.timer !== undefined) {
      clearTimeout(this.timer);
      this.timer = undefined;
      // An older state must not be stored after a newer one.
      void this.saves.enqueue(() => this.save());
    }
    await this.saves.done;
  }

  changeTypography(part: Partial<Typography>): void {
    this.change({ typography: { ...this.value.typography, ...part } });
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
      toasts.show(t('toast.settings_failed', { what: errorText(asIpcError(error)).what }), { isError: true });
    }
  }
}

export const settings = new SettingsState();
