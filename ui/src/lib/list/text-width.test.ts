import { expect, it, vi } from 'vitest';
import { TextWidths } from './text-width';

it('measures each text once, and counts texts as long before', () => {
  const measure = vi.fn((texts: readonly [string, string][]) =>
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
  widths.prepare([one, two]);
  widths.prepare([one, two]);
  expect(measure).toHaveBeenCalledTimes(1);
  expect([widths.of(one), widths.of(two)]).toEqual([
    [4, 0],
    [0, 240],
  ]);
  // In a search, the same article has another excerpt.
  widths.prepare([{ ...one, excerpt: 'found' }, two]);
  expect(measure.mock.calls[1]).toEqual([[['Oats', 'found']]]);
  expect(widths.of(one)).toEqual([4, 5]);
});
