/** Splits texts at the parts that are marked in them. */
import type { TextRange } from '../ipc';

export type Piece = { readonly text: string; readonly marked: boolean };

/** Splits a text at ordered ranges. */
export function pieces(text: string, ranges: readonly TextRange[]): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  const upTo = (end: number, marked: boolean) => {
    if (end > at) found.push({ text: text.slice(at, end), marked });
    at = Math.max(at, end);
  };
  for (const { from, until } of ranges) {
    upTo(from, false);
    upTo(until, true);
  }
  upTo(text.length, false);
  return found;
}

/** Splits a text at backticks, which mark literal text. */
export function backticked(text: string): Piece[] {
  return text
    .split('`')
    .map((part, i) => ({ text: part, marked: i % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
