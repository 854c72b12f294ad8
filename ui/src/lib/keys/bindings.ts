/**
 * All actions with keyboard shortcuts, in the order of the help, with their default keys. `keymap.ts` applies presets
 * and user changes.
 */
import type { PlainKey } from '../messages';

export type Action =
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
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
  | 'browser_behind'
  | 'new_window'
  | 'print'
  | 'copy_link'
  | 'share'
  | 'highlight'
  | 'write_note'
  | 'next_note'
  | 'previous_note'
  | 'delete_note'
  | 'notes'
  | 'comments'
  | 'transcript'
  | 'play'
  | 'skip_back'
  | 'skip_forward'
  | 'play_later'
  | 'queue'
  | 'copy_titled_link'
  | 'copy_markdown'
  | 'zoom'
  | 'find'
  | 'find_next'
  | 'find_previous'
  | 'read_aloud'
  | 'changes'
  | 'next_change'
  | 'previous_change'
  | 'mark_all'
  | 'pick'
  | 'pick_all'
  | 'cursor_down'
  | 'cursor_up'
  | 'undo'
  | 'redo'
  | 'back'
  | 'forward'
  | 'today'
  | 'unread'
  | 'starred'
  | 'all'
  | 'noted'
  | 'listening'
  | 'downloads'
  | 'unread_only'
  | 'hide_read'
  | 'new_ones'
  | 'list_layout'
  | 'arrangement'
  | 'zen'
  | 'sidebar'
  | 'search'
  | 'save_search'
  | 'find_feed'
  | 'next_feed'
  | 'previous_feed'
  | 'go_to_feed'
  | 'refresh'
  | 'refresh_all'
  | 'add'
  | 'about'
  | 'preferences'
  | 'rename'
  | 'delete'
  | 'move_up'
  | 'move_down'
  | 'move_out'
  | 'move_in'
  | 'select_one'
  | 'select_up'
  | 'select_down'
  | 'inspect'
  | 'context'
  | 'next_pane'
  | 'previous_pane'
  | 'open'
  | 'close'
  | 'larger'
  | 'smaller'
  | 'normal'
  | 'rules'
  | 'menu'
  | 'palette'
  | 'statistics'
  | 'settings'
  | 'quit'
  | 'help'
  | 'guide';

export type Group = 'keys.reading' | 'keys.views' | 'keys.feeds' | 'keys.window';

export type Binding = {
  readonly action: Action;
  readonly group: Group;
  readonly name: PlainKey;
  /** Keys as returned by `chordOf`; sequences are separated by spaces. Tooltips show the first one. */
  readonly keys: readonly string[];
  /** Handled by the focused pane, not by the window. */
  readonly local?: true;
  /** A platform key that cannot be changed. */
  readonly fixed?: true;
};

export const BINDINGS: readonly Binding[] = [
  { action: 'next', group: 'keys.reading', name: 'key.next', keys: ['j'] },
  { action: 'previous', group: 'keys.reading', name: 'key.previous', keys: ['k'] },
  { action: 'first', group: 'keys.reading', name: 'key.first', keys: ['g g'] },
  { action: 'last', group: 'keys.reading', name: 'key.last', keys: ['Shift+G'] },
  { action: 'next_unread', group: 'keys.reading', name: 'key.next_unread', keys: ['n'] },
  { action: 'previous_unread', group: 'keys.reading', name: 'key.previous_unread', keys: ['p'] },
  { action: 'read_on', group: 'keys.reading', name: 'key.scroll_down', keys: ['Space'] },
  { action: 'read_back', group: 'keys.reading', name: 'key.scroll_up', keys: ['Shift+Space'] },
  { action: 'toggle_read', group: 'keys.reading', name: 'key.toggle_read', keys: ['m'] },
  { action: 'toggle_star', group: 'keys.reading', name: 'key.toggle_star', keys: ['s'] },
  { action: 'full_text', group: 'keys.reading', name: 'key.full_text', keys: ['f'] },
  { action: 'tag', group: 'keys.reading', name: 'key.tag', keys: ['t'] },
  { action: 'hide', group: 'keys.reading', name: 'key.hide', keys: ['x'] },
  { action: 'browser', group: 'keys.reading', name: 'key.browser', keys: ['o'] },
  { action: 'browser_behind', group: 'keys.reading', name: 'key.browser_background', keys: ['Shift+O', 'Ctrl+Enter'] },
  { action: 'new_window', group: 'keys.reading', name: 'key.new_window', keys: ['Shift+Enter'] },
  { action: 'print', group: 'keys.reading', name: 'key.print', keys: ['Ctrl+P'] },
  { action: 'copy_link', group: 'keys.reading', name: 'key.copy_link', keys: ['c'] },
  { action: 'share', group: 'keys.reading', name: 'key.share', keys: ['b'] },
  { action: 'highlight', group: 'keys.reading', name: 'key.highlight', keys: ['Shift+H'] },
  { action: 'write_note', group: 'keys.reading', name: 'key.write_note', keys: ['e'] },
  { action: 'next_note', group: 'keys.reading', name: 'key.next_note', keys: ['>'] },
  { action: 'previous_note', group: 'keys.reading', name: 'key.previous_note', keys: ['<'] },
  { action: 'delete_note', group: 'keys.reading', name: 'key.delete_note', keys: ['Shift+D'] },
  { action: 'notes', group: 'keys.reading', name: 'key.notes', keys: ['Shift+E'] },
  { action: 'comments', group: 'keys.reading', name: 'key.comments', keys: ['Shift+C'] },
  { action: 'transcript', group: 'keys.reading', name: 'key.transcript', keys: ['l'] },
  { action: 'play', group: 'keys.reading', name: 'key.play', keys: ['Shift+P'] },
  { action: 'skip_back', group: 'keys.reading', name: 'key.skip_back', keys: ['('] },
  { action: 'skip_forward', group: 'keys.reading', name: 'key.skip_forward', keys: [')'] },
  { action: 'play_later', group: 'keys.reading', name: 'key.play_later', keys: ['Shift+W'] },
  { action: 'queue', group: 'keys.reading', name: 'key.queue', keys: ['Shift+Q'] },
  { action: 'copy_titled_link', group: 'keys.reading', name: 'key.copy_titled_link', keys: ['Shift+T'] },
  { action: 'copy_markdown', group: 'keys.reading', name: 'key.copy_markdown', keys: ['Shift+M'] },
  { action: 'zoom', group: 'keys.reading', name: 'key.zoom', keys: ['Shift+Z'] },
  { action: 'find', group: 'keys.reading', name: 'key.find', keys: ['Ctrl+F'] },
  { action: 'find_next', group: 'keys.reading', name: 'key.find_next', keys: ['F3', 'Ctrl+G'] },
  { action: 'find_previous', group: 'keys.reading', name: 'key.find_previous', keys: ['Shift+F3', 'Ctrl+Shift+G'] },
  { action: 'read_aloud', group: 'keys.reading', name: 'key.read_aloud', keys: ['Shift+S'] },
  { action: 'changes', group: 'keys.reading', name: 'key.changes', keys: ['d'] },
  { action: 'next_change', group: 'keys.reading', name: 'key.next_change', keys: ['.'] },
  { action: 'previous_change', group: 'keys.reading', name: 'key.previous_change', keys: [','] },
  { action: 'mark_all', group: 'keys.reading', name: 'key.mark_all', keys: ['Shift+A'] },
  { action: 'pick', group: 'keys.reading', name: 'key.select', keys: ['Shift+X'] },
  { action: 'pick_all', group: 'keys.reading', name: 'key.select_all', keys: ['Ctrl+A'] },
  { action: 'cursor_down', group: 'keys.reading', name: 'key.cursor_down', keys: ['Ctrl+ArrowDown'], local: true },
  { action: 'cursor_up', group: 'keys.reading', name: 'key.cursor_up', keys: ['Ctrl+ArrowUp'], local: true },
  { action: 'undo', group: 'keys.reading', name: 'key.undo', keys: ['u', 'Ctrl+Z'] },
  { action: 'redo', group: 'keys.reading', name: 'key.redo', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'] },
  { action: 'back', group: 'keys.views', name: 'key.back', keys: ['Alt+ArrowLeft'] },
  { action: 'forward', group: 'keys.views', name: 'key.forward', keys: ['Alt+ArrowRight'] },
  { action: 'today', group: 'keys.views', name: 'key.today', keys: ['1'] },
  { action: 'unread', group: 'keys.views', name: 'key.unread', keys: ['2'] },
  { action: 'starred', group: 'keys.views', name: 'key.starred', keys: ['3'] },
  { action: 'all', group: 'keys.views', name: 'key.all', keys: ['4'] },
  { action: 'noted', group: 'keys.views', name: 'view.noted', keys: ['5'] },
  { action: 'listening', group: 'keys.views', name: 'view.listening', keys: ['6'] },
  { action: 'downloads', group: 'keys.views', name: 'view.downloads', keys: ['7'] },
  { action: 'unread_only', group: 'keys.views', name: 'key.unread_only', keys: ['h'] },
  { action: 'hide_read', group: 'keys.views', name: 'key.hide_read', keys: ['Shift+U'] },
  { action: 'new_ones', group: 'keys.views', name: 'key.show_new', keys: ['g n'] },
  { action: 'list_layout', group: 'keys.views', name: 'key.list_layout', keys: ['v'] },
  { action: 'arrangement', group: 'keys.views', name: 'key.arrangement', keys: ['Shift+V'] },
  { action: 'zen', group: 'keys.views', name: 'key.focus_mode', keys: ['z'] },
  { action: 'sidebar', group: 'keys.views', name: 'key.sidebar', keys: ['F9'] },
  { action: 'search', group: 'keys.views', name: 'key.search', keys: ['/', 'Ctrl+Shift+F'] },
  { action: 'save_search', group: 'keys.views', name: 'key.save_search', keys: ['Ctrl+S'] },
  { action: 'find_feed', group: 'keys.feeds', name: 'key.find_feed', keys: ['Shift+L'] },
  { action: 'next_feed', group: 'keys.feeds', name: 'key.next_feed', keys: ['Shift+J'] },
  { action: 'previous_feed', group: 'keys.feeds', name: 'key.previous_feed', keys: ['Shift+K'] },
  { action: 'go_to_feed', group: 'keys.feeds', name: 'key.go_to_feed', keys: ['g f'] },
  { action: 'add', group: 'keys.feeds', name: 'key.add', keys: ['a'] },
  { action: 'refresh', group: 'keys.feeds', name: 'key.refresh', keys: ['r'] },
  { action: 'refresh_all', group: 'keys.feeds', name: 'key.refresh_all', keys: ['Shift+R'] },
  { action: 'about', group: 'keys.feeds', name: 'key.feed_info', keys: ['i'] },
  { action: 'preferences', group: 'keys.feeds', name: 'key.preferences', keys: ['w'] },
  { action: 'inspect', group: 'keys.feeds', name: 'key.inspect', keys: ['Shift+I'] },
  { action: 'rules', group: 'keys.feeds', name: 'key.rules', keys: ['Shift+F'] },
  { action: 'rename', group: 'keys.feeds', name: 'key.rename', keys: ['F2'], local: true },
  { action: 'delete', group: 'keys.feeds', name: 'key.delete', keys: ['Delete'], local: true },
  { action: 'move_up', group: 'keys.feeds', name: 'key.move_up', keys: ['Alt+ArrowUp'], local: true },
  { action: 'move_down', group: 'keys.feeds', name: 'key.move_down', keys: ['Alt+ArrowDown'], local: true },
  { action: 'move_out', group: 'keys.feeds', name: 'key.move_out', keys: ['Alt+Shift+ArrowLeft'], local: true },
  { action: 'move_in', group: 'keys.feeds', name: 'key.move_in', keys: ['Alt+Shift+ArrowRight'], local: true },
  { action: 'select_one', group: 'keys.feeds', name: 'key.select_one', keys: ['Ctrl+Space'], local: true },
  { action: 'select_up', group: 'keys.feeds', name: 'key.select_up', keys: ['Shift+ArrowUp'], local: true },
  { action: 'select_down', group: 'keys.feeds', name: 'key.select_down', keys: ['Shift+ArrowDown'], local: true },
  { action: 'context', group: 'keys.feeds', name: 'key.context', keys: ['Shift+F10'], local: true, fixed: true },
  { action: 'next_pane', group: 'keys.window', name: 'key.next_pane', keys: [']', 'F6'] },
  { action: 'previous_pane', group: 'keys.window', name: 'key.previous_pane', keys: ['[', 'Shift+F6'] },
  { action: 'open', group: 'keys.window', name: 'key.open', keys: ['Enter'], local: true, fixed: true },
  { action: 'close', group: 'keys.window', name: 'key.close', keys: ['Escape'], fixed: true },
  { action: 'larger', group: 'keys.window', name: 'key.larger', keys: ['Ctrl++', 'Ctrl+='] },
  { action: 'smaller', group: 'keys.window', name: 'key.smaller', keys: ['Ctrl+-'] },
  { action: 'normal', group: 'keys.window', name: 'key.reset_text_size', keys: ['Ctrl+0'] },
  { action: 'menu', group: 'keys.window', name: 'key.menu', keys: ['F10'] },
  { action: 'palette', group: 'keys.window', name: 'key.palette', keys: ['Ctrl+K', ':'] },
  { action: 'statistics', group: 'keys.window', name: 'key.statistics', keys: ['Shift+Y'] },
  { action: 'settings', group: 'keys.window', name: 'key.settings', keys: ['Ctrl+,'] },
  { action: 'quit', group: 'keys.window', name: 'menu.quit', keys: ['Ctrl+Q'] },
  { action: 'help', group: 'keys.window', name: 'key.help', keys: ['?'] },
  { action: 'guide', group: 'keys.window', name: 'key.guide', keys: ['F1'] },
];

/** Groups of the shortcuts, in the order in which they are shown. */
export const GROUPS: readonly Group[] = ['keys.reading', 'keys.views', 'keys.feeds', 'keys.window'];

export const bindingOf = (action: Action): Binding => BINDINGS.find((binding) => binding.action === action) as Binding;

export type KeyPress = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
};

/**
 * Returns the name of a key press: "j", "Shift+A", "Ctrl+Z". Shift is named only if the character does not show it.
 */
export function chordOf(press: KeyPress): string {
  const control = press.ctrlKey || press.metaKey;
  let key = press.key === ' ' ? 'Space' : press.key;
  const letter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  // Ignore Caps Lock: only the Shift key counts.
  if (letter) key = control || press.shiftKey ? key.toUpperCase() : key.toLowerCase();
  const shift = press.shiftKey && (letter || key.length > 1);
  return `${control ? 'Ctrl+' : ''}${press.altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`;
}

/** Keys with letters of other scripts where Latin keyboards have these characters, by their name in UI Events KeyboardEvent code Values. */
const LATIN: Readonly<Record<string, readonly [plain: string, shifted: string]>> = {
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
  Comma: [',', '<'],
  Period: ['.', '>'],
  Slash: ['/', '?'],
  Semicolon: [';', ':'],
};

/** Only characters of other scripts. Latin keyboards have signs of no script, such as "§" and, with AltGr, "€" and "µ". */
const NOT_LATIN = /^[^\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]+$/u;

/**
 * Returns the name of a key press on a keyboard without Latin letters, such as an Arabic, Greek or Cyrillic one: the name that the
 * same key has on a Latin one. The name of any other key press is that of `chordOf`.
 */
export function latinChordOf(press: KeyPress & { readonly code: string }): string {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = press;
  // Alt and a letter type characters on a Mac.
  if (altKey || !NOT_LATIN.test(key)) return chordOf(press);
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  const latin = letter ?? LATIN[code]?.[shiftKey ? 1 : 0];
  return latin === undefined ? chordOf(press) : chordOf({ key: latin, ctrlKey, metaKey, altKey, shiftKey });
}

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);

/** Returns whether a key is a modifier. */
export const isModifier = (key: string): boolean => MODIFIERS.has(key);

export type Place = {
  /** A text field, select or similar has the focus. */
  readonly typing: boolean;
  /** A dialog or menu is open and handles all keys. */
  readonly covered: boolean;
  /** A button or link got the focus by a key, and handles Space and Enter. */
  readonly control: boolean;
};

const ALWAYS: ReadonlySet<Action> = new Set<Action>(['larger', 'smaller', 'normal']);

const GOING: ReadonlySet<Action> = new Set<Action>(['back', 'forward']);

/** On a Mac, Option and an arrow move the cursor in a text by a word. */
const MOVES_BY_WORD = /Mac/.test(globalThis.navigator?.userAgent ?? '');

/** Keys with Control that edit text on some system. */
const EDITING = /^Ctrl\+(?:Shift\+)?(?:[ACVXYZ]|Space|Enter|Backspace|Delete|Home|End|Arrow\w+)$/;

/** Returns whether the window may handle a key here. */
export function isFree(action: Action | null, chord: string, place: Place): boolean {
  // Characters go into the focused field.
  if (action && ALWAYS.has(action) && (!place.typing || /^(?:Ctrl|Alt)\+/.test(chord))) return true;
  if (place.covered) return false;
  if (place.typing) {
    if (action !== null && GOING.has(action) && chord.startsWith('Alt+Arrow')) return !MOVES_BY_WORD;
    return action !== null && chord.startsWith('Ctrl+') && !EDITING.test(chord);
  }
  return !(place.control && (chord === 'Space' || chord === 'Shift+Space' || chord === 'Enter'));
}
