/** Keys of the tree; all others are handled by the window. */
import { backwardKey, forwardKey } from '../../lib/direction';
import { chordOf } from '../../lib/keys/bindings';
import { moveBy } from '../../lib/state/arrange';
import { focus as focusOwner } from '../../lib/state/focus.svelte';
import { keymap } from '../../lib/state/keymap.svelte';
import { inSequence, isWindowKey } from '../../lib/state/keyboard.svelte';
import { layout } from '../../lib/state/layout.svelte';
import { library } from '../../lib/state/library.svelte';
import { sidebar } from '../../lib/state/sidebar.svelte';
import type { Way } from '../../lib/arrange';
import type { Action } from '../../lib/keys/bindings';
import { sectionOf, type Node } from './nodes';
import { canRename } from './rename';
import { showFeedInfo, inspectFeed, showPreferences } from '../../lib/state/feeds';

type Tree = {
  readonly nodes: () => readonly Node[];
  readonly focus: (key: string | undefined) => void;
  readonly choose: (node: Node) => void;
  readonly delete: (node: Node) => void;
  readonly chosen: () => string | undefined;
};

const MOVES: readonly (readonly [Action, Way])[] = [
  ['move_up', 'up'],
  ['move_down', 'down'],
  ['move_out', 'out'],
  ['move_in', 'in'],
];
/** Milliseconds between two letters of one type-ahead word. */
const PATIENCE = 700;

export class TreeKeys {
  private typed = '';
  private typedAt = -Infinity;

  constructor(private readonly tree: Tree) {}

  press(event: KeyboardEvent, node: Node): void {
    if (inSequence() || (!this.changeable(event, node) && !this.plain(event, node))) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Keys that the user can change. */
  private changeable(event: KeyboardEvent, node: Node): boolean {
    const chord = chordOf(event);
    const isKey = (action: Action) => keymap.now.of(action).includes(chord);
    const nodes = this.tree.nodes();
    if (isKey('rename')) {
      if (canRename(node)) sidebar.rename(node.key);
      return true;
    }
    // A letter that is typed to find a row deletes none.
    if (isKey('delete') && !isTyping(this.typedAt, event)) {
      // A key that is held down deletes one row.
      if (!event.repeat) this.tree.delete(node);
      return true;
    }
    if (isKey('select_one')) {
      sidebar.toggle(node.key, undefined);
      return true;
    }
    if (isKey('select_up') || isKey('select_down')) {
      const to = nodes[nodes.indexOf(node) + (isKey('select_up') ? -1 : 1)];
      if (to?.kind !== 'row') return true;
      sidebar.extend(to.key, node.key);
      this.tree.focus(to.key);
      return true;
    }
    const move = MOVES.find(([action]) => isKey(action));
    if (move) {
      if (node.kind === 'row') void this.move(node, this.seen(move[1]));
      return true;
    }
    // They apply to the focused row, not to the displayed list.
    if (node.kind !== 'row' || isTyping(this.typedAt, event)) return false;
    if (isKey('preferences')) {
      if (node.row.kind === 'folder') showPreferences('folder', node.row.folder);
      else showPreferences('feed', node.row.feed);
      return true;
    }
    if (node.row.kind !== 'feed') return false;
    if (isKey('about')) showFeedInfo(node.row.feed);
    else if (isKey('inspect')) inspectFeed(node.row.feed);
    else return false;
    return true;
  }

  /** Swaps out and in for right-to-left text. */
  private seen(way: Way): Way {
    if (document.documentElement.dir !== 'rtl') return way;
    return way === 'out' ? 'in' : way === 'in' ? 'out' : way;
  }

  private async move(node: Node, way: Way): Promise<void> {
    await moveBy(sidebar.targets(node.key), way);
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
        if (sidebar.selected.size > 0) sidebar.clearSelection(node.key);
        else if (sidebar.filter !== null) sidebar.endFind();
        else return false;
        return true;
      case 'Enter':
      case ' ':
        // With Shift they are the window's.
        if (event.shiftKey) return false;
        // Space reads on if the focused row is already displayed, or was only clicked.
        if (event.key === ' ' && (node.key === this.tree.chosen() || !focusOwner.cameByKey)) return false;
        this.tree.choose(node);
        if (event.key === 'Enter' && node.kind !== 'section') layout.focus('list');
        return true;
      case inward:
        if (row?.kind === 'folder' && !row.folder.open) library.setOpen(row.folder.id, true);
        else if (node.kind === 'section' && !node.open) this.tree.choose(node);
        else if (row?.kind === 'folder' || node.kind === 'section') focus(nodes[index + 1]?.key);
        else layout.focus('list');
        return true;
      case outward:
        if (row?.kind === 'folder' && row.folder.open) library.setOpen(row.folder.id, false);
        else if (node.kind === 'section' && node.open) this.tree.choose(node);
        else if (sectionOf(node)) focus(sectionOf(node));
        else if (row?.parent != null) focus(`folder-${row.parent}`);
        return true;
      default:
        return this.typeAhead(event, index);
    }
  }

  /**
   * Type-ahead: letters find a row by the start of its name. The window's keys (j, r, …) take precedence; a word
   * starts with a capital letter or a letter without a shortcut.
   */
  private typeAhead(event: KeyboardEvent, index: number): boolean {
    if (event.key.length !== 1 || !/[\p{L}\p{N}]/u.test(event.key)) return false;
    const continues = isTyping(this.typedAt, event);
    // The window's shortcuts take precedence.
    if (!continues && isWindowKey(chordOf(event))) return false;
    this.typed = continues ? this.typed + event.key.toLocaleLowerCase() : event.key.toLocaleLowerCase();
    this.typedAt = event.timeStamp;
    const nodes = this.tree.nodes();
    const from = this.typed.length > 1 ? index : index + 1;
    const order = [...nodes.slice(from), ...nodes.slice(0, from)];
    this.tree.focus(order.find((node) => node.label.toLocaleLowerCase().startsWith(this.typed))?.key);
    return true;
  }
}

/** Returns whether a type-ahead word has been started. */
const isTyping = (typedAt: number, event: KeyboardEvent): boolean => event.timeStamp - typedAt < PATIENCE;
