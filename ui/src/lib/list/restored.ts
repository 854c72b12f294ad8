/** The position at which a list is shown again. */
import type { Cursor } from '../ipc';
import { compare } from './merge';

/** A scroll position: the row at the top edge and how much of it is above the edge. */
export type Place = { readonly id: number; readonly offset: number };
/** The position and selection of a list that is shown again. `offset`: see `Place`. */
export type Restored = {
  /** Where its rows begin, if that is above. */
  readonly from?: Cursor;
  readonly place: { readonly cursor: Cursor; readonly offset: number } | null;
  /** The position is the start of the list, where the selected row may be out of sight. */
  readonly atStart?: boolean;
  readonly selected: Cursor | null;
};

/** Returns the cursor that a restored list begins at: the first visible row, or the selected one if that is above it. */
export function beginningOf(restored: Restored | null, oldestFirst: boolean): Cursor | null {
  const top = restored?.from ?? restored?.place?.cursor ?? null;
  const selected = restored?.selected ?? null;
  return top && selected && compare(selected, top, oldestFirst) < 0 ? selected : top;
}
