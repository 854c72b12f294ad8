/** The active keys: those of a preset, with the user's changes on top. */
import type { KeyPreset } from '../ipc';
import { BINDINGS, type Action } from './bindings';

export type Keys = Partial<Record<Action, readonly string[]>>;

/**
 * Keys that users of other programs know. Actions not listed keep Gleaner's keys, except those that the preset uses
 * itself.
 */
export const PRESETS: Record<KeyPreset, Keys> = {
  gleaner: {},
  vim: {
    read_on: ['Space', 'Ctrl+D'],
    read_back: ['Shift+Space', 'Ctrl+U'],
    previous_unread: ['Shift+N'],
    next_pane: ['l', ']', 'F6'],
    previous_pane: ['h', '[', 'Shift+F6'],
    unread_only: ['z'],
    zen: ['Shift+Z'],
    pick: ['v'],
    list_layout: ['Shift+V'],
    arrangement: ['g v'],
    today: ['g t', '1'],
    unread: ['g u', '2'],
    starred: ['g s', '3'],
    all: ['g a', '4'],
    copy_link: ['y'],
    transcript: ['g l'],
    close: ['Escape', 'q'],
    zoom: ['g z'],
    palette: [':', 'Ctrl+K'],
  },
  net_news_wire: {
    next: ['j'],
    next_unread: ['n', '+'],
    mark_all: ['k'],
    toggle_read: ['m', 'r'],
    browser: ['b', 'o'],
    share: ['Shift+B'],
    next_feed: ['z'],
    zen: ['Shift+Z'],
    previous_feed: ['a'],
    add: ['Ctrl+N'],
    zoom: ['g z'],
    refresh: ['Shift+R'],
    refresh_all: ['Ctrl+R'],
    first: ['Shift+T'],
    copy_titled_link: ['g c'],
    palette: ['Ctrl+K'],
  },
  reader: {
    browser: ['v', 'o'],
    list_layout: ['Shift+V'],
    arrangement: ['g v'],
    today: ['g h', '1'],
    unread: ['g u', '2'],
    starred: ['g s', '3'],
    all: ['g a', '4'],
    next_feed: ['Shift+N'],
    previous_feed: ['Shift+P'],
    first: ['Shift+T'],
    copy_titled_link: ['g c'],
    find_feed: ['g f'],
    go_to_feed: ['g i'],
    play: ['Shift+L'],
    palette: ['g g', 'Ctrl+K'],
  },
};

/** Returns whether one key sequence equals the other or is its prefix: both cannot be used together. */
const clash = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);

/** Merges keys; lower ones that clash are removed. */
function over(below: Keys, above: Keys): Keys {
  const taken = Object.values(above).flat();
  const left = (keys: readonly string[]) => keys.filter((key) => !taken.some((other) => clash(key, other)));
  const entries = BINDINGS.map(({ action }) => [action, above[action] ?? left(below[action] ?? [])] as const);
  return Object.fromEntries(entries) as Keys;
}

/** Keys that are exchanged where the window is right to left: the arrow of "back" points to where a text begins. */
const mirrored = (keys: Keys): Keys => ({ ...keys, back: keys.forward, forward: keys.back });

const OWN: Keys = Object.fromEntries(BINDINGS.map(({ action, keys }) => [action, keys]));

export class Keymap {
  private readonly keys: Keys;
  private readonly actions = new Map<string, Action>();
  private readonly beginnings = new Set<string>();

  constructor(preset: KeyPreset, own: Keys, isRightToLeft = false) {
    this.keys = over(over(isRightToLeft ? mirrored(OWN) : OWN, PRESETS[preset]), own);
    for (const { action, local } of BINDINGS) {
      for (const keys of this.of(action)) {
        if (!local) this.actions.set(keys, action);
        const chords = keys.split(' ');
        for (let many = 1; many < chords.length; many++) this.beginnings.add(chords.slice(0, many).join(' '));
      }
    }
  }

  of(action: Action): readonly string[] {
    return this.keys[action] ?? [];
  }

  /** Returns the key shown in tooltips; '' if there is none. */
  first(action: Action): string {
    return this.of(action)[0] ?? '';
  }

  action(keys: string): Action | null {
    return this.actions.get(keys) ?? null;
  }

  /** Returns whether these keys start a longer sequence. */
  begins(keys: string): boolean {
    return this.beginnings.has(keys);
  }

  /** Returns the actions that would lose keys to these. */
  clashing(keys: string, but: Action): Action[] {
    return BINDINGS.filter(({ action }) => action !== but && this.of(action).some((other) => clash(keys, other))).map(
      ({ action }) => action,
    );
  }

  /** Returns the user's keys with a change; other actions lose clashing keys. */
  changed(own: Keys, action: Action, keys: readonly string[]): Keys {
    const others = keys.flatMap((key) => this.clashing(key, action));
    const given = others.map((other) => [
      other,
      this.of(other).filter((there) => !keys.some((key) => clash(key, there))),
    ]);
    return { ...own, ...Object.fromEntries(given), [action]: keys };
  }
}

/** Reads stored keys, dropping actions and keys that this version does not know. */
export function readable(stored: Readonly<Record<string, readonly string[] | undefined>>): Keys {
  const changeable = BINDINGS.filter((binding) => !binding.fixed).map((binding) => binding.action as string);
  return Object.fromEntries(Object.entries(stored).filter(([action]) => changeable.includes(action))) as Keys;
}
