/** Every key of the window, in the order in which the help lists them. One table: the dispatcher, the help and the tooltips read it. */
import type { PlainKey } from '../messages';

export type Action =
  | 'next'
  | 'previous'
  | 'next_unread'
  | 'previous_unread'
  | 'read_on'
  | 'read_back'
  | 'toggle_read'
  | 'toggle_star'
  | 'full_text'
  | 'tag'
  | 'hide'
  | 'browser'
  | 'changes'
  | 'next_change'
  | 'previous_change'
  | 'mark_all'
  | 'undo'
  | 'today'
  | 'unread'
  | 'starred'
  | 'all'
  | 'unread_only'
  | 'search'
  | 'save_search'
  | 'refresh'
  | 'refresh_all'
  | 'add'
  | 'about'
  | 'context'
  | 'next_pane'
  | 'previous_pane'
  | 'open'
  | 'close'
  | 'larger'
  | 'smaller'
  | 'normal'
  | 'rules'
  | 'settings'
  | 'help';

export type Group = 'keys.reading' | 'keys.views' | 'keys.feeds' | 'keys.window';

export type Binding = {
  readonly action: Action;
  readonly group: Group;
  readonly name: PlainKey;
  /** As in `chordOf`; the first is the one that tooltips show. */
  readonly chords: readonly string[];
  /** Answered by the pane that has the focus, not by the window. */
  readonly local?: true;
};

export const BINDINGS: readonly Binding[] = [
  { action: 'next', group: 'keys.reading', name: 'key.next', chords: ['j'] },
  { action: 'previous', group: 'keys.reading', name: 'key.previous', chords: ['k'] },
  { action: 'next_unread', group: 'keys.reading', name: 'key.next_unread', chords: ['n'] },
  { action: 'previous_unread', group: 'keys.reading', name: 'key.previous_unread', chords: ['p'] },
  { action: 'read_on', group: 'keys.reading', name: 'key.read_on', chords: ['Space'] },
  { action: 'read_back', group: 'keys.reading', name: 'key.read_back', chords: ['Shift+Space'] },
  { action: 'toggle_read', group: 'keys.reading', name: 'key.toggle_read', chords: ['m'] },
  { action: 'toggle_star', group: 'keys.reading', name: 'key.toggle_star', chords: ['s'] },
  { action: 'full_text', group: 'keys.reading', name: 'key.full_text', chords: ['f'] },
  { action: 'tag', group: 'keys.reading', name: 'key.tag', chords: ['t'] },
  { action: 'hide', group: 'keys.reading', name: 'key.hide', chords: ['x'] },
  { action: 'browser', group: 'keys.reading', name: 'key.browser', chords: ['o'] },
  { action: 'changes', group: 'keys.reading', name: 'key.changes', chords: ['d'] },
  { action: 'next_change', group: 'keys.reading', name: 'key.next_change', chords: ['.'] },
  { action: 'previous_change', group: 'keys.reading', name: 'key.previous_change', chords: [','] },
  { action: 'mark_all', group: 'keys.reading', name: 'key.mark_all', chords: ['Shift+A'] },
  { action: 'undo', group: 'keys.reading', name: 'key.undo', chords: ['u', 'Ctrl+Z'] },
  { action: 'today', group: 'keys.views', name: 'key.today', chords: ['1'] },
  { action: 'unread', group: 'keys.views', name: 'key.unread', chords: ['2'] },
  { action: 'starred', group: 'keys.views', name: 'key.starred', chords: ['3'] },
  { action: 'all', group: 'keys.views', name: 'key.all', chords: ['4'] },
  { action: 'unread_only', group: 'keys.views', name: 'key.unread_only', chords: ['h'] },
  { action: 'search', group: 'keys.views', name: 'key.search', chords: ['/', 'Ctrl+F'] },
  { action: 'save_search', group: 'keys.views', name: 'key.save_search', chords: ['Ctrl+S'], local: true },
  { action: 'add', group: 'keys.feeds', name: 'key.add', chords: ['a'] },
  { action: 'refresh', group: 'keys.feeds', name: 'key.refresh', chords: ['r'] },
  { action: 'refresh_all', group: 'keys.feeds', name: 'key.refresh_all', chords: ['Shift+R'] },
  { action: 'about', group: 'keys.feeds', name: 'key.about', chords: ['i'] },
  { action: 'rules', group: 'keys.feeds', name: 'key.rules', chords: ['Shift+F'] },
  { action: 'context', group: 'keys.feeds', name: 'key.context', chords: ['Shift+F10'], local: true },
  { action: 'next_pane', group: 'keys.window', name: 'key.next_pane', chords: [']', 'F6'] },
  { action: 'previous_pane', group: 'keys.window', name: 'key.previous_pane', chords: ['[', 'Shift+F6'] },
  { action: 'open', group: 'keys.window', name: 'key.open', chords: ['Enter'], local: true },
  { action: 'close', group: 'keys.window', name: 'key.close', chords: ['Escape'] },
  { action: 'larger', group: 'keys.window', name: 'key.larger', chords: ['Ctrl++', 'Ctrl+='] },
  { action: 'smaller', group: 'keys.window', name: 'key.smaller', chords: ['Ctrl+-'] },
  { action: 'normal', group: 'keys.window', name: 'key.normal', chords: ['Ctrl+0'] },
  { action: 'settings', group: 'keys.window', name: 'key.settings', chords: ['Ctrl+,'] },
  { action: 'help', group: 'keys.window', name: 'key.help', chords: ['?'] },
];

const BY_CHORD = new Map(
  BINDINGS.filter((b) => !b.local).flatMap((b) => b.chords.map((chord) => [chord, b.action] as const)),
);

export type KeyPress = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
};

/** A key press by its name: "j", "Shift+A", "Ctrl+Z". Shift is named only where the character does not show it. */
export function chordOf(press: KeyPress): string {
  const control = press.ctrlKey || press.metaKey;
  let key = press.key === ' ' ? 'Space' : press.key;
  const letter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  // Caps lock makes "J" of j: only the shift key counts.
  if (letter) key = control || press.shiftKey ? key.toUpperCase() : key.toLowerCase();
  const shift = press.shiftKey && (letter || key.length > 1);
  return `${control ? 'Ctrl+' : ''}${press.altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`;
}

export type Place = {
  /** A text field, select or the like has the focus. */
  readonly typing: boolean;
  /** A dialog or menu is open: it has the keyboard to itself. */
  readonly covered: boolean;
  /** A button or link has the focus: Space and Enter are its own. */
  readonly control: boolean;
};

const ALWAYS: ReadonlySet<Action> = new Set<Action>(['larger', 'smaller', 'normal']);

/** What a key press asks for, or null where it belongs to somebody else. */
export function actionFor(press: KeyPress, place: Place): Action | null {
  const chord = chordOf(press);
  const action = BY_CHORD.get(chord) ?? null;
  if (action === null) return null;
  if (ALWAYS.has(action)) return action;
  if (place.covered || place.typing) return null;
  if (place.control && (chord === 'Space' || chord === 'Shift+Space' || chord === 'Enter')) return null;
  return action;
}

export function chordFor(action: Action): string {
  return BINDINGS.find((binding) => binding.action === action)?.chords[0] ?? '';
}
