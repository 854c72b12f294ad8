/** What the sidebar shows of the library, and what of it is selected. */
import { keyOf, type Moved } from '../arrange';
import { fold } from '../rank';
import { treeRows, type Shown, type TreeRow } from '../tree';
import { layout } from './layout.svelte';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { settings } from './settings.svelte';

const isKey = (key: string): boolean => /^(?:feed|folder)-\d+$/.test(key);
const numberOf = (key: string): number => Number(key.slice(key.indexOf('-') + 1));

class Sidebar {
  /** Feeds and folders that are meant together, by the keys of their rows. Empty: the one that has the focus. */
  selected = $state.raw<ReadonlySet<string>>(new Set());
  /** What is looked for; null: nothing is. */
  filter = $state<string | null>(null);
  /** The row whose name is being written. */
  renaming = $state<string | null>(null);
  /** What a screen reader is to say. */
  said = $state('');
  /** Set by the field while it is there. */
  field: HTMLInputElement | undefined;
  /** Where a row of selected ones begins. */
  private anchor: string | null = null;

  readonly looked = $derived(fold(this.filter ?? '').trim());

  /** Feeds and folders as they are shown: all, those that are looked for, or those with something to read. */
  readonly tree = $derived.by((): TreeRow[] => {
    const only = this.looked !== '' ? this.found(this.looked) : settings.value.hide_read ? this.unread() : null;
    return only === null ? library.tree : treeRows(library.folders, library.feeds, library.unread, only);
  });

  private found(looked: string): Shown {
    const has = (name: string) => fold(name).includes(looked);
    return { feed: (feed) => has(feed.title), folder: (folder) => has(folder.name), open: true };
  }

  /** The one that is shown stays until it is left. */
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

  say(text: string): void {
    // The same words again are said again.
    this.said = text === this.said ? `${text}\u00a0` : text;
  }

  /** Opens the field, or goes back into it. */
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

  /** What an act on this row is about: all that is selected where it is one of them, in the order in which it is seen. */
  meant(key: string): Moved {
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

  /** Selects this one alone: from here the next row of them begins. */
  only(key: string): void {
    this.anchor = key;
    if (this.selected.size > 0) this.selected = new Set();
  }

  /** Takes one to those that are selected, or from them; what had the focus alone is one of them then. */
  toggle(key: string, alone: string | undefined): void {
    if (!isKey(key)) return;
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- replaced as a whole
    const next = new Set(this.selected);
    if (next.size === 0 && alone !== undefined && isKey(alone) && alone !== key) next.add(alone);
    if (!next.delete(key)) next.add(key);
    this.selected = next;
    this.anchor = key;
  }

  /** Selects all from where it was begun to this one. */
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
}

export const sidebar = new Sidebar();
