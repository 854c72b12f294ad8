/** Keyboard shortcuts of the window: from a key press to the action. */
import { chordOf, isFree, isModifier, latinChordOf, type Action } from '../keys/bindings';
import { act, screen } from './actions';
import { dialogs } from './dialogs.svelte';
import { focus, TEXT_FIELDS } from './focus.svelte';
import { layout } from './layout.svelte';
import { keymap } from './keymap.svelte';
import { library } from './library.svelte';

/** Fields that take keys for themselves. */
const FIELDS = `${TEXT_FIELDS}, select`;

/** Actions available before a library is loaded. */
const WITHOUT_LIBRARY: ReadonlySet<Action> = new Set<Action>([
  'larger',
  'smaller',
  'normal',
  'help',
  'guide',
  'settings',
  'quit',
]);

/** Actions that are also available in the welcome view. */
const IN_WELCOME: ReadonlySet<Action> = new Set<Action>(['add', 'undo', 'redo']);

/** The keys of an unfinished key sequence. */
const sequence = { keys: '', until: 0 };
const SEQUENCE_TIMEOUT = 1500;

/** Selects the text of a dialog, and nothing of the window behind it. */
function selectDialog(): void {
  const body = [...document.querySelectorAll('[role=dialog]')].at(-1);
  if (body) document.getSelection()?.selectAllChildren(body.querySelector('.body') ?? body);
}

/** Returns the name of a key press. Keys of other scripts that have no action of their own have those of a Latin keyboard. */
function chordFor(event: KeyboardEvent): string {
  const chord = chordOf(event);
  const isKnown = (keys: string) => keymap.now.action(keys) !== null || keymap.now.begins(keys);
  if (isKnown(chord) || isKnown(`${sequence.keys} ${chord}`) || event.getModifierState('AltGraph')) return chord;
  return latinChordOf(event);
}

export function keydown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isModifier(event.key)) return;
  const target = event.target instanceof Element ? event.target : null;
  const chord = chordFor(event);
  // The web view would select the whole window.
  if (chord === 'Ctrl+A' && target?.closest(FIELDS) == null && dialogs.covered) {
    event.preventDefault();
    return selectDialog();
  }
  const further = sequence.keys && event.timeStamp < sequence.until ? `${sequence.keys} ${chord}` : chord;
  sequence.keys = '';
  const keys = keymap.now.action(further) || keymap.now.begins(further) ? further : chord;
  const action = keymap.now.action(keys);
  // What was done in a dialog can be undone there.
  const isUndo = (action === 'undo' || action === 'redo') && dialogs.menus === 0;
  const free = isFree(action, chord, {
    typing: target?.closest(FIELDS) != null,
    covered: dialogs.covered && !isUndo,
    control: focus.cameByKey && target?.closest('button, a, summary, audio, video, input') != null,
  });
  if (!free) return;
  if (!action) {
    if (!keymap.now.begins(keys)) return;
    [sequence.keys, sequence.until] = [keys, event.timeStamp + SEQUENCE_TIMEOUT];
    event.preventDefault();
    return;
  }
  const hasLibrary = library.status === 'ready' && (!library.firstRun || IN_WELCOME.has(action));
  if (!hasLibrary && !WITHOUT_LIBRARY.has(action)) return;
  event.preventDefault();
  // In the article, Ctrl+A selects its text.
  if (action === 'pick_all' && layout.current() === 'article') return screen.selectAll();
  if (action === 'pick_all' && layout.current() !== 'list') return;
  act(action);
}

/** Goes back and forward by the buttons of the mouse. The web view would go through its own documents instead. */
export function mouseup(event: MouseEvent): void {
  if (event.button !== 3 && event.button !== 4) return;
  event.preventDefault();
  if (!dialogs.covered && library.status === 'ready' && !library.firstRun) act(event.button === 3 ? 'back' : 'forward');
}

/** Returns whether a key sequence has been started. */
export const inSequence = (): boolean => sequence.keys !== '' && performance.now() < sequence.until;

/** Returns whether the window handles this key or a sequence starting with it. */
export const isWindowKey = (chord: string): boolean =>
  inSequence() || keymap.now.action(chord) !== null || keymap.now.begins(chord);
