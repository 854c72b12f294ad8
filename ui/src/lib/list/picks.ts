/** Which rows are chosen for one act on all of them, and where a range of them began. */
export type Picks = { readonly ids: ReadonlySet<number>; readonly anchor: number | null };

export const NONE: Picks = { ids: new Set(), anchor: null };

/** One more, or one less. A range goes on from here. */
export function toggled(picks: Picks, id: number): Picks {
  const ids = new Set(picks.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id };
}

/** From the anchor to this row, and nothing else; `from` where there is no anchor yet. */
export function ranged(order: readonly { readonly id: number }[], picks: Picks, from: number, to: number): Picks {
  const anchored = order.findIndex((row) => row.id === picks.anchor);
  const begin = anchored < 0 ? from : anchored;
  const ids = order.slice(Math.min(begin, to), Math.max(begin, to) + 1).map((row) => row.id);
  return { ids: new Set(ids), anchor: order[begin]?.id ?? null };
}
