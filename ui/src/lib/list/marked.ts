import type { TextRange } from '../ipc';

export type Piece = { readonly text: string; readonly marked: boolean };

/** A text cut where its marked parts begin and end; the ranges stand in order. */
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

/** What stands in backticks is as it was written, or could be. */
export function backticked(text: string): Piece[] {
  return text
    .split('`')
    .map((part, i) => ({ text: part, marked: i % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
