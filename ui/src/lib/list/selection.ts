/** Rows selected for a bulk action, and the start of a range. */
export type Picks = { readonly ids: ReadonlySet<number>; readonly anchor: number | null };

export const NONE: Picks = { ids: new Set(), anchor: null };

/** Adds or removes a row, which becomes the start of a range. */
export function toggled(picks: Picks, id: number): Picks {
  const ids = new Set(picks.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id };
}

/** Selects the range from the anchor, or from `from`, to a row. */
export function ranged(order: readonly { readonly id: number }[], picks: Picks, from: number, to: number): Picks {
  const anchored = order.findIndex((row) => row.id === picks.anchor);
  const begin = anchored < 0 ? from : anchored;
  const ids = order.slice(Math.min(begin, to), Math.max(begin, to) + 1).map((row) => row.id);
  return { ids: new Set(ids), anchor: order[begin]?.id ?? null };
}

/** Returns a set of ids without one of them. */
export const lacking = (ids: ReadonlySet<number>, id: number): ReadonlySet<number> =>
  ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : ids;
