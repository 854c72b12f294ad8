import type { ToldLink } from '../article/links';
import type { Feed, Folder, KeepScope, Renewed, SavedSearch, SaveRule, Tag } from '../ipc';

/** What of a feed is wanted at once: the form for another address, its certificate, its history. */
export type AboutPart = 'address' | 'certificate' | 'older';

export type DialogKind =
  | { readonly kind: 'add'; readonly address?: string }
  | { readonly kind: 'starter' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'keys' }
  | { readonly kind: 'palette' }
  | { readonly kind: 'about_feed'; readonly feed: Feed; readonly part?: AboutPart }
  | { readonly kind: 'rename_feed'; readonly feed: Feed }
  | { readonly kind: 'rename_folder'; readonly folder: Folder }
  | { readonly kind: 'save_search'; readonly query: string }
  | { readonly kind: 'rename_search'; readonly search: SavedSearch }
  | { readonly kind: 'rename_tag'; readonly tag: Tag }
  | { readonly kind: 'tags'; readonly id: number; readonly title: string }
  | { readonly kind: 'categories' }
  /** A link whose words, letters or user name deceive. */
  | { readonly kind: 'doubted_link'; readonly link: ToldLink }
  | { readonly kind: 'new_folder'; readonly parent: number | null }
  | { readonly kind: 'move_feed'; readonly feed: Feed }
  | { readonly kind: 'move_folder'; readonly folder: Folder }
  /** All rules, one of them, or one that is to be written. */
  | { readonly kind: 'rules'; readonly draft?: SaveRule; readonly rule?: number }
  | { readonly kind: 'keeping'; readonly scope: KeepScope; readonly title: string }
  /** What came of the files that came in. */
  | { readonly kind: 'import' }
  | { readonly kind: 'renewed'; readonly how: 'restored' | 'recovered'; readonly renewed: Renewed };

/** The one dialog that is open, and how many menus are: while any is, the window's keys rest. */
class Dialogs {
  open = $state.raw<DialogKind | null>(null);
  menus = $state(0);

  get covered(): boolean {
    return this.open !== null || this.menus > 0;
  }

  show(dialog: DialogKind): void {
    this.open = dialog;
  }

  close(): void {
    this.open = null;
  }
}

export const dialogs = new Dialogs();
