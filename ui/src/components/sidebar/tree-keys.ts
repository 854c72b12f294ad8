/** The tree's own keys. What is none of them is the window's. */
import { backwardKey, forwardKey } from '../../lib/direction';
import { chordOf } from '../../lib/keys/bindings';
import { moveBy } from '../../lib/state/arrange';
import { reading } from '../../lib/state/article.svelte';
import { keymap } from '../../lib/state/keymap.svelte';
import { inTurn, isWindows } from '../../lib/state/keys.svelte';
import { layout } from '../../lib/state/layout.svelte';
import { library } from '../../lib/state/library.svelte';
import { settings } from '../../lib/state/settings.svelte';
import { sidebar } from '../../lib/state/sidebar.svelte';
import type { Way } from '../../lib/arrange';
import type { Action } from '../../lib/keys/bindings';
import type { Node } from './nodes';
import { canRename } from './rename';
import { aboutFeed, inspectFeed, showPreferences } from '../../lib/state/feeds';

type Tree = {
  readonly nodes: () => readonly Node[];
  readonly focus: (key: string | undefined) => void;
  readonly choose: (node: Node) => void;
  readonly chosen: () => string | undefined;
};

const MOVES: readonly (readonly [Action, Way])[] = [
  ['move_up', 'up'],
  ['move_down', 'down'],
  ['move_out', 'out'],
  ['move_in', 'in'],
];
/** Milliseconds between two letters of one word. */
const PATIENCE = 700;

export class TreeKeys {
  private typed = '';
  private typedAt = -Infinity;

  constructor(private readonly tree: Tree) {}

  press(event: KeyboardEvent, node: Node): void {
    if (inTurn() || (!this.changeable(event, node) && !this.plain(event, node))) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Keys that the reader may have changed. */
  private changeable(event: KeyboardEvent, node: Node): boolean {
    const chord = chordOf(event);
    const asks = (action: Action) => keymap.now.of(action).includes(chord);
    const nodes = this.tree.nodes();
    if (asks('rename')) {
      if (canRename(node)) sidebar.rename(node.key);
      return true;
    }
    if (asks('select_one')) {
      sidebar.toggle(node.key, undefined);
      return true;
    }
    if (asks('select_up') || asks('select_down')) {
      const to = nodes[nodes.indexOf(node) + (asks('select_up') ? -1 : 1)];
      if (to?.kind !== 'row') return true;
      sidebar.extend(to.key, node.key);
      this.tree.focus(to.key);
      return true;
    }
    const move = MOVES.find(([action]) => asks(action));
    if (move) {
      if (node.kind === 'row') void this.move(node, this.seen(move[1]));
      return true;
    }
    // Here it is about the row that has the focus, not about the list that is shown.
    if (node.kind !== 'row' || isTyping(this.typedAt, event)) return false;
    if (asks('preferences')) {
      if (node.row.kind === 'folder') showPreferences('folder', node.row.folder);
      else showPreferences('feed', node.row.feed);
      return true;
    }
    if (node.row.kind !== 'feed') return false;
    if (asks('about')) aboutFeed(node.row.feed);
    else if (asks('inspect')) inspectFeed(node.row.feed);
    else return false;
    return true;
  }

  /** Out and in as they are seen where text runs from the right. */
  private seen(way: Way): Way {
    if (document.documentElement.dir !== 'rtl') return way;
    return way === 'out' ? 'in' : way === 'in' ? 'out' : way;
  }

  private async move(node: Node, way: Way): Promise<void> {
    await moveBy(sidebar.meant(node.key), way);
    this.tree.focus(node.key);
  }

  private plain(event: KeyboardEvent, node: Node): boolean {
    const nodes = this.tree.nodes();
    if (event.ctrlKey || event.metaKey) {
      if (!keymap.now.of('pick_all').includes(chordOf(event))) return false;
      sidebar.all();
      return true;
    }
    if (event.altKey) return false;
    const { focus } = this.tree;
    const index = nodes.indexOf(node);
    const row = node.kind === 'row' ? node.row : undefined;
    const [inward, outward] = [forwardKey(), backwardKey()];
    switch (event.key) {
      case 'ArrowDown':
        focus(nodes[index + 1]?.key);
        return true;
      case 'ArrowUp':
        if (index === 0 && sidebar.field) sidebar.field.focus();
        else focus(nodes[index - 1]?.key);
        return true;
      case 'Home':
        focus(nodes[0]?.key);
        return true;
      case 'End':
        focus(nodes.at(-1)?.key);
        return true;
      case 'Escape':
        if (sidebar.selected.size > 0) sidebar.only(node.key);
        else if (sidebar.filter !== null) sidebar.endFind();
        else return false;
        return true;
      case 'Enter':
      case ' ':
        // Of what is shown already there is nothing to choose: space reads on, wherever the focus is.
        if (event.key === ' ' && node.key === this.tree.chosen() && reading.article) return false;
        this.tree.choose(node);
        if (event.key === 'Enter' && node.kind !== 'languages') layout.focus('list');
        return true;
      case inward:
        if (row?.kind === 'folder' && !row.folder.open) library.setOpen(row.folder.id, true);
        else if (node.kind === 'languages' && !node.open) settings.change({ fold_languages: false });
        else if (row?.kind === 'folder' || node.kind === 'languages') focus(nodes[index + 1]?.key);
        else layout.focus('list');
        return true;
      case outward:
        if (row?.kind === 'folder' && row.folder.open) library.setOpen(row.folder.id, false);
        else if (node.kind === 'languages' && node.open) settings.change({ fold_languages: true });
        else if (node.kind === 'language') focus('languages');
        else if (row?.parent != null) focus(`folder-${row.parent}`);
        return true;
      default:
        return this.typeAhead(event, index);
    }
  }

  /**
   * Letters find a row by its beginning. The window's own keys (j, r, …) come first; a word is begun with a capital
   * or with a letter that no key has.
   */
  private typeAhead(event: KeyboardEvent, index: number): boolean {
    if (event.key.length !== 1 || !/[\p{L}\p{N}]/u.test(event.key)) return false;
    const going = isTyping(this.typedAt, event);
    // What a key asks of the window goes first.
    if (!going && isWindows(chordOf(event))) return false;
    this.typed = going ? this.typed + event.key.toLocaleLowerCase() : event.key.toLocaleLowerCase();
    this.typedAt = event.timeStamp;
    const nodes = this.tree.nodes();
    const from = this.typed.length > 1 ? index : index + 1;
    const order = [...nodes.slice(from), ...nodes.slice(0, from)];
    this.tree.focus(order.find((node) => node.label.toLocaleLowerCase().startsWith(this.typed))?.key);
    return true;
  }
}

/** A word has been begun. */
const isTyping = (typedAt: number, event: KeyboardEvent): boolean => event.timeStamp - typedAt < PATIENCE;
