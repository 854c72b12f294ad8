import { describe, expect, it } from 'vitest';
import type { Node } from './nodes';
import { focusRowsOf, visibleRange, offsetsOf } from './visible-rows';

const nodes = (count: number): Node[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: 'hidden',
    key: `n${String(i)}`,
    label: '',
    heading: i === 10 ? 'Feeds' : undefined,
    count: 0,
    badge: '',
    countText: '',
    source: { kind: 'hidden' },
  }));

describe('visible rows', () => {
  it('draws a short tree completely', () => {
    expect(offsetsOf(nodes(150), 16, 'comfortable')).toBeNull();
  });

  it('draws the visible rows and a few more', () => {
    const places = offsetsOf(nodes(5000), 16, 'comfortable')!;
    expect(places.total).toBe((5000 * 1.875 + 2.25) * 16);
    expect(visibleRange(places, 0, 600)).toEqual({ start: 0, end: 31 });
    const far = visibleRange(places, places.top(2000), 600);
    expect([far.start, far.end]).toEqual([1988, 2033]);
    expect(visibleRange(places, places.total, 600).end).toBe(5000);
  });

  it('keeps the focused row in place, below its heading', () => {
    const all = nodes(5000);
    const places = offsetsOf(all, 16, 'comfortable')!;
    const far = visibleRange(places, places.top(2000), 600);
    const away = focusRowsOf(all, places, far, ['n10', 'n2001', null], 16, 'comfortable');
    expect([...away]).toEqual([['n10', (10 * 1.875 + 2.25) * 16]]);
  });
});
