import { describe, expect, it } from 'vitest';
import { backticked, pieces } from './highlights';

const shown = (text: string, ...ranges: [number, number][]) =>
  pieces(
    text,
    ranges.map(([from, until]) => ({ from, until })),
  )
    .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
    .join('');

describe('highlighted text', () => {
  it('is split at its ranges', () => {
    expect(shown('rust and rye', [0, 4], [9, 12])).toBe('[rust] and [rye]');
    expect(shown('rust')).toBe('rust');
    expect(shown('', [0, 0])).toBe('');
  });

  it('accepts adjacent ranges and ranges beyond the text', () => {
    expect(shown('ab', [0, 1], [1, 9])).toBe('[a][b]');
    expect(shown('abc', [0, 2], [1, 3])).toBe('[ab][c]');
  });

  it('is split at backticks', () => {
    expect(backticked('no `titel:`; did you mean `title:`?')).toEqual([
      { text: 'no ', marked: false },
      { text: 'titel:', marked: true },
      { text: '; did you mean ', marked: false },
      { text: 'title:', marked: true },
      { text: '?', marked: false },
    ]);
  });
});
