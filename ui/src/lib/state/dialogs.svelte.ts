import type { Moved } from '../arrange';
import type { ToldLink } from '../article/links';
import type { Picture } from '../article/zoom';
import type { Feed, FeedScope, Renewed, SaveRule } from '../ipc';
import { t } from '../messages';
import { toasts } from './toasts.svelte';

/** What of a feed is wanted at once: the form for another address, its certificate, its history. */
export type AboutPart = 'address' | 'certificate' | 'older';

/** The sections of the settings. */
export const SETTINGS_PARTS = [
  'appearance',
  'article',
  'reading',
  'feeds',
  'rules',
  'ahead',
  'keeping',
  'backups',
] as const;
export type SettingsPart = (typeof SETTINGS_PARTS)[number];

export type DialogKind =
  | { readonly kind: 'add'; readonly address?: string }
  | { readonly kind: 'starter' }
  | { readonly kind: 'settings'; readonly part?: SettingsPart }
  | { readonly kind: 'keys' }
  | { readonly kind: 'palette' }
  | { readonly kind: 'about_feed'; readonly feed: Feed; readonly part?: AboutPart }
  | { readonly kind: 'inspect_feed'; readonly feed: Feed }
  | { readonly kind: 'statistics' }
  | { readonly kind: 'save_search'; readonly query: string }
  | { readonly kind: 'tags'; readonly ids: readonly number[]; readonly title: string }
  | { readonly kind: 'categories' }
  /** An article's pictures, large, and which of them at first. */
  | { readonly kind: 'zoom'; readonly pictures: readonly Picture[]; readonly first: number }
  /** A link whose words, letters or user name deceive. */
  | { readonly kind: 'doubted_link'; readonly link: ToldLink }
  | { readonly kind: 'new_folder'; readonly parent: number | null }
  /** One or several, to another folder; what they are called together. */
  | { readonly kind: 'move'; readonly moved: Moved; readonly title: string }
  /** All rules, one of them, or one that is to be written; `resumed`: it was, and not saved. */
  | { readonly kind: 'rules'; readonly draft?: SaveRule; readonly resumed?: boolean; readonly rule?: number }
  /** The settings of a feed or of a folder. */
  | { readonly kind: 'preferences'; readonly scope: FeedScope; readonly title: string }
  /** What came of the files that came in. */
  | { readonly kind: 'import' }
  | { readonly kind: 'renewed'; readonly how: 'restored' | 'recovered'; readonly renewed: Renewed };

/** The one dialog that is open, and how many menus are: while any is, the window's keys rest. */
class Dialogs {
  open = $state.raw<DialogKind | null>(null);
  menus = $state(0);
  /** Where the focus goes when it closes, where that is not what had it before. */
  home: (() => HTMLElement | null | undefined) | undefined;

  get covered(): boolean {
    return this.open !== null || this.menus > 0;
  }

  show(dialog: DialogKind): void {
    this.home = undefined;
    this.open = dialog;
  }

  close(): void {
    this.open = null;
  }

  /** What the dialog that is open is made of. Where that cannot be had nothing stays covered: it is said, and can be tried again. */
  async made<T>(of: Promise<T>): Promise<T> {
    const wanted = this.open;
    try {
      return await of;
    } catch (cause) {
      if (this.open === wanted && wanted) {
        this.close();
        toasts.error(cause, { label: t('list.retry'), run: () => this.show(wanted) });
      }
      return new Promise(() => {});
    }
  }
}

export const dialogs = new Dialogs();
