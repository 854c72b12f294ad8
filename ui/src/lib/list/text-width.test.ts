import { expect, it, vi } from 'vitest';
import { TextWidths, type MeasuredTexts } from './text-width';

it('measures each text once, and counts texts as long before', () => {
  const measure = vi.fn((texts: readonly MeasuredTexts[]) =>
    texts.map(([title, excerpt]): [number, number] => [title.length, excerpt.length]),
  );
  const widths = new TextWidths(measure);
  const [one, two] = [
    { id: 1, title: 'Oats', excerpt: '' },
    { id: 2, title: '', excerpt: 'x'.repeat(1000) },
  ];
  expect([widths.of(one), widths.of(two)]).toEqual([
    [Infinity, 0],
    [0, Infinity],
  ]);
  widths.prepare([one, two], 2, 0);
  widths.prepare([one, two], 2, 0);
  expect(measure).toHaveBeenCalledTimes(1);
  expect([widths.of(one), widths.of(two)]).toEqual([
    [4, 0],
    [0, 240],
  ]);
  // In a search, the same article has another excerpt.
  widths.prepare([{ ...one, excerpt: 'found' }, two], 2, 0);
  expect(measure.mock.calls[1]).toEqual([[['Oats', 'found', undefined]]]);
  expect(widths.of(one)).toEqual([4, 5]);
});

it('measures what is needed at once, and some of the rest each time', () => {
  const measure = vi.fn((texts: readonly MeasuredTexts[]) => texts.map((): [number, number] => [1, 1]));
  const widths = new TextWidths(measure);
  const rows = Array.from({ length: 10 }, (_, id) => ({ id, title: `Row ${id}`, excerpt: '' }));
  expect(widths.prepare(rows, 5, 3)).toEqual({ first: 0, left: 5 });
  expect(widths.prepare(rows, 5, 3)).toEqual({ first: 5, left: 2 });
  expect(widths.of(rows[8] as (typeof rows)[0])).toEqual([Infinity, 0]);
  expect(widths.prepare(rows, 5, 3)).toEqual({ first: 8, left: 0 });
  expect(widths.prepare(rows, 5, 3)).toEqual({ first: 10, left: 0 });
  expect(measure.mock.calls.map(([texts]) => texts.length)).toEqual([5, 3, 2]);
});
