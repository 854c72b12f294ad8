/** Which dialog is open. */
import type { Moved } from '../arrange';
import type { LinkDescription } from '../article/links';
import type { ZoomImage } from '../article/zoom';
import type { Candidate, Feed, FeedScope, RestoredLibrary, SaveRule } from '../ipc';
import { t } from '../messages';
import { toasts } from './toasts.svelte';

/** The part of the feed dialog to open: the address form, the certificate or the archive. */
export type FeedInfoPart = 'address' | 'certificate' | 'older';

/** Sections of the settings dialog. */
export const SETTINGS_PARTS = [
  'appearance',
  'article',
  'reading',
  'feeds',
  'background',
  'accounts',
  'sharing',
  'rules',
  'offline',
  'retention',
  'backups',
] as const;
export type SettingsPart = (typeof SETTINGS_PARTS)[number];

export type DialogKind =
  /** `search`: looks for the feeds of the address at once. `candidates`: feeds in files. */
  | {
      readonly kind: 'add';
      readonly address?: string;
      readonly search?: boolean;
      readonly candidates?: readonly Candidate[];
    }
  | { readonly kind: 'starter' }
  | { readonly kind: 'bookmarks'; readonly browser: string }
  /** Asks what closing the window should do. */
  | { readonly kind: 'close'; readonly tray: boolean }
  | { readonly kind: 'settings'; readonly part?: SettingsPart }
  | { readonly kind: 'keys' }
  /** The user guide, at this page: a file of docs/guide without its ending, or `news`. */
  | { readonly kind: 'guide'; readonly page?: string }
  | { readonly kind: 'about' }
  | { readonly kind: 'palette' }
  | { readonly kind: 'feed_info'; readonly feed: Feed; readonly part?: FeedInfoPart }
  | { readonly kind: 'inspect_feed'; readonly feed: Feed }
  | { readonly kind: 'statistics' }
  /** Feeds that can't be updated. */
  | { readonly kind: 'attention' }
  | { readonly kind: 'save_search'; readonly query: string }
  | { readonly kind: 'tags'; readonly ids: readonly number[]; readonly title: string }
  /** Why an article of an account is read, starred or tagged. */
  | { readonly kind: 'mark_history'; readonly id: number; readonly title: string }
  /** The service to save articles in. */
  | { readonly kind: 'share'; readonly ids: readonly number[] }
  | { readonly kind: 'categories' }
  /** The playback queue. */
  | { readonly kind: 'queue' }
  /** An article's images at full size, and the first one to show. */
  | { readonly kind: 'zoom'; readonly images: readonly ZoomImage[]; readonly first: number }
  /** A link whose text, letters or user name may deceive. */
  | { readonly kind: 'suspicious_link'; readonly link: LinkDescription }
  | { readonly kind: 'new_folder'; readonly parent: number | null }
  /** Moves feeds and folders to another folder; `title` names them together. */
  | { readonly kind: 'move'; readonly moved: Moved; readonly title: string }
  /** Moves feeds into an account or out of one; `title` names them together. */
  | { readonly kind: 'move_account'; readonly feeds: readonly number[]; readonly title: string }
  /** The list of rules, one rule, or a draft. `resumed`: the draft was edited before and not saved. */
  | { readonly kind: 'rules'; readonly draft?: SaveRule; readonly resumed?: boolean; readonly rule?: number }
  /** Preferences of a feed or folder. */
  | { readonly kind: 'preferences'; readonly scope: FeedScope; readonly title: string }
  /** What files contain, before they are imported. */
  | { readonly kind: 'import_preview' }
  /** Results of imported files. */
  | { readonly kind: 'import' }
  | { readonly kind: 'restored'; readonly how: 'restored' | 'recovered'; readonly library: RestoredLibrary };

/** The open dialog and the number of open menus. While any is open, the window's shortcuts are off. */
class Dialogs {
  open = $state.raw<DialogKind | null>(null);
  menus = $state(0);
  /** Top and bottom edge of the title and description of the open dialog, and the room beside it, in CSS pixels. */
  head = $state.raw<{ readonly top: number; readonly bottom: number; readonly side: number } | null>(null);
  /** Functions that close the open menus. */
  private readonly closers = new Set<() => void>();
  /** Where the focus goes when the dialog closes, if not to the element that had it before. */
  home: (() => HTMLElement | null | undefined) | undefined;
  /** Runs once the open dialog is closed. */
  private next: (() => void) | null = null;

  get covered(): boolean {
    return this.open !== null || this.menus > 0;
  }

  /** Called by a menu that opens. Returns a function to call when it closes. */
  menuOpened(close: () => void): () => void {
    this.menus++;
    this.closers.add(close);
    return () => {
      this.menus--;
      this.closers.delete(close);
    };
  }

  /** Closes all menus, for what happens inside a frame: menus do not notice that. */
  closeMenus(): void {
    for (const close of this.closers) close();
  }

  /**
   * Returns a function that closes the menus that are open now, if they still are. It returns whether another menu has been opened
   * since.
   */
  menusOpenNow(): () => boolean {
    const open = new Set(this.closers);
    return () => {
      for (const close of open) if (this.closers.has(close)) close();
      return [...this.closers].some((close) => !open.has(close));
    };
  }

  show(dialog: DialogKind): void {
    this.home = undefined;
    this.open = dialog;
  }

  /** Closes the open dialog; `only`: if it is still this one, since the user may have closed it or opened another. Returns whether it was. */
  close(only = this.open): boolean {
    if (this.open !== only) return false;
    const wasOpen = this.open !== null;
    this.open = null;
    const run = this.next;
    this.next = null;
    run?.();
    return wasOpen;
  }

  /** Runs a function once no dialog is open, in place of the one set before. */
  whenClosed(run: (() => void) | null): void {
    this.next = run;
  }

  /**
   * Waits for a lazily loaded dialog. If loading fails, closes the dialog and shows a toast so that the user can
   * retry.
   */
  async load<T>(of: Promise<T>): Promise<T> {
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
