/** Selection of several entries of a list by mouse and keyboard, as file managers do it. */

export type Selection = {
  readonly selected: ReadonlySet<number>;
  /** Where a range begins. */
  readonly anchor: number | null;
  /** The entry that has the focus. */
  readonly focused: number | null;
};

export const NONE: Selection = { selected: new Set(), anchor: null, focused: null };

type Modifiers = { readonly ctrlKey: boolean; readonly metaKey: boolean; readonly shiftKey: boolean };

const isCtrl = ({ ctrlKey, metaKey }: Modifiers) => ctrlKey || metaKey;

function range(ids: readonly number[], from: number, to: number): Set<number> {
  const [a, b] = [ids.indexOf(from), ids.indexOf(to)];
  return new Set(a < 0 ? [to] : ids.slice(Math.min(a, b), Math.max(a, b) + 1));
}

function toggled({ selected }: Selection, id: number): Selection {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return { selected: next, anchor: id, focused: id };
}

/** A click selects an entry, with Ctrl also it, with Shift up to it. */
export function clicked(before: Selection, ids: readonly number[], id: number, keys: Modifiers): Selection {
  if (keys.shiftKey) {
    const anchor = before.anchor ?? before.focused ?? id;
    return { selected: range(ids, anchor, id), anchor, focused: id };
  }
  return isCtrl(keys) ? toggled(before, id) : { selected: new Set([id]), anchor: id, focused: id };
}

/** Returns the selection after a key, or null if the key is not one for lists. */
export function pressed(before: Selection, ids: readonly number[], key: string, keys: Modifiers): Selection | null {
  const at = before.focused === null ? -1 : ids.indexOf(before.focused);
  const last = ids.length - 1;
  if (isCtrl(keys) && key.toLowerCase() === 'a') return { ...before, selected: new Set(ids) };
  const current = ids[Math.max(at, 0)];
  if (key === ' ' && current !== undefined) return toggled(before, current);
  if (key === 'Escape') return before.selected.size > 0 ? { ...before, selected: new Set(), anchor: null } : null;
  const targets: Record<string, number> = {
    ArrowDown: Math.min(at + 1, last),
    ArrowUp: Math.max(at - 1, 0),
    Home: 0,
    End: last,
  };
  const target = targets[key];
  const to = target === undefined ? undefined : ids[target];
  if (to === undefined) return null;
  if (keys.shiftKey) {
    const anchor = before.anchor ?? before.focused ?? to;
    return { selected: range(ids, anchor, to), anchor, focused: to };
  }
  // With Ctrl only the focus moves.
  return isCtrl(keys) ? { ...before, focused: to } : { selected: new Set([to]), anchor: to, focused: to };
}

/** Drops entries that are gone. */
export function retained(before: Selection, ids: readonly number[]): Selection {
  const there = (id: number | null) => (id !== null && ids.includes(id) ? id : null);
  const selected = new Set([...before.selected].filter((id) => ids.includes(id)));
  return { selected, anchor: there(before.anchor), focused: there(before.focused) };
}
