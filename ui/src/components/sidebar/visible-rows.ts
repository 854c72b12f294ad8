/** Selects which rows of a long tree are drawn. Sizes are rem and must match TreeNode.svelte. */
import { RowOffsets } from '../../lib/list/row-offsets';
import type { Density } from '../../lib/ipc';
import type { Node } from './nodes';

/** Height of a row by density; `--row` in tokens.css. */
const ROW: Record<Density, number> = { comfortable: 1.875, cosy: 1.75, compact: 1.5 };
const HEADING = 2.25;
/** Gap above a section. */
const GAP = 0.5;
/** Up to this number of rows the tree is drawn completely. */
const SMALL = 150;
const OVERSCAN = 12;

/** Returns row positions of a long tree; `null` for a short one. */
export function offsetsOf(nodes: readonly Node[], rem: number, density: Density): RowOffsets | null {
  if (nodes.length <= SMALL) return null;
  const offsets = new RowOffsets();
  const tall = ({ heading, kind }: Node) => ROW[density] + (heading ? HEADING : 0) + (kind === 'section' ? GAP : 0);
  offsets.set(nodes.length, (i) => tall(nodes[i] as Node) * rem);
  return offsets;
}

/** Returns the rows to draw for a scroll position; `end` is exclusive. */
export const visibleRange = (places: RowOffsets, top: number, height: number) => places.window(top, height, OVERSCAN);

/**
 * Returns rows to draw although they are out of view, because they have or will get the focus, with their positions.
 */
export function focusRowsOf(
  nodes: readonly Node[],
  places: RowOffsets,
  { start, end }: { start: number; end: number },
  keys: readonly (string | null | undefined)[],
  rem: number,
  density: Density,
): Map<string, number> {
  const away = new Map<string, number>();
  nodes.forEach((node, i) => {
    if ((i < start || i >= end) && keys.includes(node.key)) away.set(node.key, places.bottom(i) - ROW[density] * rem);
  });
  return away;
}
