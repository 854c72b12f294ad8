/** Which rows of a long tree are drawn. Rem; TreeNode.svelte is drawn to fit. */
import { RowOffsets } from '../../lib/list/offsets';
import type { Node } from './nodes';

const ROW = 1.875;
const HEADING = 2.25;
/** Above the section of languages. */
const GAP = 0.5;
/** A tree of so many rows is drawn whole. */
const SMALL = 150;
const OVERSCAN = 12;

/** Where the rows of a long tree stand; `null`: it is short. */
export function placesOf(nodes: readonly Node[], rem: number): RowOffsets | null {
  if (nodes.length <= SMALL) return null;
  const offsets = new RowOffsets();
  const tall = ({ heading, kind }: Node) => ROW + (heading ? HEADING : 0) + (kind === 'languages' ? GAP : 0);
  offsets.set(nodes.length, (i) => tall(nodes[i] as Node) * rem);
  return offsets;
}

/** The rows that are drawn, `end` past the last, where the tree is scrolled to `top` in a room of this height. */
export const drawnOf = (places: RowOffsets, top: number, height: number) => places.window(top, height, OVERSCAN);

/** Rows that are drawn though they are out of sight, since the focus is there or comes there: where the row itself begins. */
export function awayOf(
  nodes: readonly Node[],
  places: RowOffsets,
  { start, end }: { start: number; end: number },
  keys: readonly (string | null | undefined)[],
  rem: number,
): Map<string, number> {
  const away = new Map<string, number>();
  nodes.forEach((node, i) => {
    if ((i < start || i >= end) && keys.includes(node.key)) away.set(node.key, places.bottom(i) - ROW * rem);
  });
  return away;
}
