/** State of the sidebar: filter, selection and renaming. */
import { keyOf, type Moved } from '../arrange';
import type { Source } from '../ipc';
import { fold } from '../fold';
import { successor } from '../successor';
import { treeRows, type Shown, type TreeRow } from '../tree';
import { layout } from './layout.svelte';
import { library } from './library.svelte';
import { list, sameSource } from './list.svelte';
import { settings } from './settings.svelte';

const isKey = (key: string): boolean => /^(?:feed|folder)-\d+$/.test(key);
const numberOf = (key: string): number => Number(key.slice(key.indexOf('-') + 1));

/** Returns whether the feed or folder of a list exists. */
const isThere = (source: Source): boolean =>
  source.kind === 'feed'
    ? library.feedById.has(source.id)
    : source.kind === 'folder' && library.folderById.has(source.id);

class Sidebar {
  /** Keys of the selected feeds and folders. Empty: the focused row is the selection. */
  selected = $state.raw<ReadonlySet<string>>(new Set());
  /** Text of the filter; `null` if the filter is closed. */
  filter = $state<string | null>(null);
  /** Key of the row being renamed. */
  renaming = $state<string | null>(null);
  /** The row renamed last, and the filter text then: it stays until the text changes, even if its new name does not match. */
  private renamed = $state.raw<{ readonly key: string; readonly filterText: string } | null>(null);
  /** Whether the main menu is open. */
  menuOpen = $state(false);
  /** Set by the filter field while it is mounted. */
  field: HTMLInputElement | undefined;
  /** Start of a range selection. */
  private anchor: string | null = null;

  readonly filterText = $derived(fold(this.filter ?? '').trim());

  /** The displayed feeds and folders: all, those matching the filter, or those with unread articles. */
  readonly tree = $derived.by((): TreeRow[] => {
    const only = this.filterText !== '' ? this.found(this.filterText) : settings.value.hide_read ? this.unread() : null;
    return only === null ? library.tree : treeRows(library.folders, library.feeds, library.unread, only);
  });

  private found(filterText: string): Shown {
    const has = (name: string) => fold(name).includes(filterText);
    return {
      feed: (feed) => has(feed.title) || this.staysFound(`feed-${feed.id}`),
      folder: (folder) => has(folder.name) || this.staysFound(`folder-${folder.id}`),
      open: true,
    };
  }

  /** Returns whether the filter shows a row regardless of its name. */
  staysFound(key: string): boolean {
    const { renaming, renamed } = this;
    return key === renaming || (key === renamed?.key && renamed.filterText === this.filterText);
  }

  /** The displayed, selected or edited row stays visible without unread articles. */
  private unread(): Shown {
    const source = list.searching ? null : list.source;
    const stays = (kind: 'feed' | 'folder', id: number) =>
      (source?.kind === kind && source.id === id) ||
      this.selected.has(`${kind}-${id}`) ||
      this.renaming === `${kind}-${id}`;
    return {
      feed: (feed) => (library.unread.get(feed.id) ?? 0) > 0 || stays('feed', feed.id),
      folder: (folder) => stays('folder', folder.id),
      open: false,
    };
  }

  /** Opens the main menu, and the sidebar around it if that is closed. */
  openMenu(): void {
    layout.zen = false;
    if (!layout.drawered || layout.drawer) {
      this.menuOpen = true;
      return;
    }
    // The sidebar takes the focus in the next frame, and the menu from it.
    layout.focus('sidebar');
    requestAnimationFrame(() => requestAnimationFrame(() => (this.menuOpen = true)));
  }

  /** Opens the filter field, or focuses it. */
  find(): void {
    this.filter ??= '';
    layout.focus('sidebar');
    requestAnimationFrame(() => {
      this.field?.focus();
      this.field?.select();
    });
  }

  endFind(): void {
    this.filter = null;
    layout.focus('sidebar');
  }

  rename(key: string): void {
    this.renaming = key;
  }

  endRename(): void {
    this.renamed = this.renaming === null ? null : { key: this.renaming, filterText: this.filterText };
    this.renaming = null;
  }

  /**
   * Returns the feeds and folders that an action on this row applies to, in tree order: the whole selection if the
   * row is part of it.
   */
  targets(key: string): Moved {
    const keys = this.selected.has(key) ? [...this.selected] : [key].filter(isKey);
    const order = new Map(library.tree.map((row, at) => [keyOf(row), at]));
    const place = (one: string) => order.get(one) ?? Number.MAX_SAFE_INTEGER;
    const of = (kind: string) => keys.filter((one) => one.startsWith(kind)).toSorted((a, b) => place(a) - place(b));
    const there = (all: ReadonlyMap<number, unknown>) => (id: number) => all.has(id);
    return {
      feeds: of('feed-').map(numberOf).filter(there(library.feedById)),
      folders: of('folder-').map(numberOf).filter(there(library.folderById)),
    };
  }

  /** Clears the selection; the next range starts here. */
  clearSelection(key: string): void {
    this.anchor = key;
    if (this.selected.size > 0) this.selected = new Set();
  }

  /** Clears what belongs to rows of a replaced library. */
  forget(): void {
    this.selected = new Set();
    this.anchor = this.renaming = this.renamed = null;
  }

  /** Adds a row to the selection or removes it. The focused row becomes part of a new selection. */
  toggle(key: string, alone: string | undefined): void {
    if (!isKey(key)) return;
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- replaced as a whole
    const next = new Set(this.selected);
    if (next.size === 0 && alone !== undefined && isKey(alone) && alone !== key) next.add(alone);
    if (!next.delete(key)) next.add(key);
    this.selected = next;
    this.anchor = key;
  }

  /** Selects the range from its start to this row. */
  extend(key: string, from: string): void {
    const keys = this.tree.map(keyOf);
    this.anchor = this.anchor !== null && keys.includes(this.anchor) ? this.anchor : from;
    const [a, b] = [keys.indexOf(this.anchor), keys.indexOf(key)];
    if (a < 0 || b < 0) return;
    this.selected = new Set(keys.slice(Math.min(a, b), Math.max(a, b) + 1));
  }

  all(): void {
    this.selected = new Set(this.tree.map(keyOf));
  }

  /**
   * Returns a function that finds the list to show instead of a removed feed or folder, once it is known which rows of the tree stay: the
   * row that takes its place, or the closed folder around it.
   */
  insteadOf({ kind, id }: Extract<Source, { id: number }>): (stays: (key: string) => boolean) => Source {
    const keys = this.tree.map(keyOf);
    let key = `${kind}-${id}`;
    let parent = kind === 'feed' ? library.feedById.get(id)?.folder_id : library.folderById.get(id)?.parent_id;
    for (let depth = 0; parent && !keys.includes(key) && depth < 64; depth++) {
      key = `folder-${parent}`;
      parent = library.folderById.get(parent)?.parent_id;
    }
    return (stays) => {
      const heir = stays(key) ? key : successor(key, keys, keys.filter(stays));
      return heir && keys.includes(heir)
        ? { kind: heir.startsWith('feed') ? 'feed' : 'folder', id: numberOf(heir) }
        : { kind: 'unread' };
    };
  }

  /** Loads the library. A list whose feed or folder is gone is left. */
  async reload(): Promise<void> {
    const { source } = list;
    const instead = 'id' in source && isThere(source) ? this.insteadOf(source) : null;
    await library.load();
    list.retainFeeds(library.feedById);
    if (!instead || isThere(source) || !sameSource(source, list.source)) return;
    const now = new Set(this.tree.map(keyOf));
    list.replace(instead((key) => now.has(key)));
  }
}

export const sidebar = new Sidebar();
