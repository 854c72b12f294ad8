/** Which keys count: those of a preset, and over them the reader's own. */
import type { KeyPreset } from '../ipc';
import { BINDINGS, type Action } from './bindings';

export type Keys = Partial<Record<Action, readonly string[]>>;

/**
 * What other programs' users have in their fingers, as far as there is such a thing here. What a preset does not name keeps Gleaner's
 * own keys, but for those that the preset needs itself.
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
    today: ['g t', '1'],
    unread: ['g u', '2'],
    starred: ['g s', '3'],
    all: ['g a', '4'],
    copy_link: ['y'],
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
    today: ['g h', '1'],
    unread: ['g u', '2'],
    starred: ['g s', '3'],
    all: ['g a', '4'],
    next_feed: ['Shift+N'],
    previous_feed: ['Shift+P'],
    first: ['Shift+T'],
    copy_titled_link: ['g c'],
    find_feed: ['g f'],
    play: ['Shift+L'],
    palette: ['g g', 'Ctrl+K'],
  },
};

/** Of two ways to press keys, one is the other or its beginning: both together cannot be had. */
const clash = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);

/** Keys laid over others, which give up what clashes. */
function over(below: Keys, above: Keys): Keys {
  const taken = Object.values(above).flat();
  const left = (keys: readonly string[]) => keys.filter((key) => !taken.some((other) => clash(key, other)));
  const entries = BINDINGS.map(({ action }) => [action, above[action] ?? left(below[action] ?? [])] as const);
  return Object.fromEntries(entries) as Keys;
}

const OWN: Keys = Object.fromEntries(BINDINGS.map(({ action, keys }) => [action, keys]));

export class Keymap {
  private readonly keys: Keys;
  private readonly actions = new Map<string, Action>();
  private readonly beginnings = new Set<string>();

  constructor(preset: KeyPreset, own: Keys) {
    this.keys = over(over(OWN, PRESETS[preset]), own);
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

  /** The one that tooltips show; nothing where it has none. */
  first(action: Action): string {
    return this.of(action)[0] ?? '';
  }

  action(keys: string): Action | null {
    return this.actions.get(keys) ?? null;
  }

  /** More keys may follow these. */
  begins(keys: string): boolean {
    return this.beginnings.has(keys);
  }

  /** Who would have to give up keys for these. */
  clashing(keys: string, but: Action): Action[] {
    return BINDINGS.filter(({ action }) => action !== but && this.of(action).some((other) => clash(keys, other))).map(
      ({ action }) => action,
    );
  }

  /** The reader's own keys with these for this action: whoever had them gives them up. */
  changed(own: Keys, action: Action, keys: readonly string[]): Keys {
    const others = keys.flatMap((key) => this.clashing(key, action));
    const given = others.map((other) => [
      other,
      this.of(other).filter((there) => !keys.some((key) => clash(key, there))),
    ]);
    return { ...own, ...Object.fromEntries(given), [action]: keys };
  }
}

/** What was kept, as far as it is of this version: actions and keys that there are. */
export function readable(kept: Readonly<Record<string, readonly string[] | undefined>>): Keys {
  const changeable = BINDINGS.filter((binding) => !binding.fixed).map((binding) => binding.action as string);
  return Object.fromEntries(Object.entries(kept).filter(([action]) => changeable.includes(action))) as Keys;
}
