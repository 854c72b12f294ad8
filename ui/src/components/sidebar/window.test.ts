import { describe, expect, it } from 'vitest';
import type { Node } from './nodes';
import { awayOf, drawnOf, placesOf } from './window';

const nodes = (count: number): Node[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: 'hidden',
    key: `n${String(i)}`,
    label: '',
    heading: i === 10 ? 'Feeds' : undefined,
    count: 0,
    badge: '',
    said: '',
    source: { kind: 'hidden' },
  }));

describe('a long tree', () => {
  it('is drawn whole while it is short', () => {
    expect(placesOf(nodes(150), 16)).toBeNull();
  });

  it('draws what is in sight and a little more', () => {
    const places = placesOf(nodes(5000), 16)!;
    expect(places.total).toBe((5000 * 1.875 + 2.25) * 16);
    expect(drawnOf(places, 0, 600)).toEqual({ start: 0, end: 31 });
    const far = drawnOf(places, places.top(2000), 600);
    expect([far.start, far.end]).toEqual([1988, 2033]);
    expect(drawnOf(places, places.total, 600).end).toBe(5000);
  });

  it('keeps the row with the focus where it is, below its heading', () => {
    const all = nodes(5000);
    const places = placesOf(all, 16)!;
    const far = drawnOf(places, places.top(2000), 600);
    const away = awayOf(all, places, far, ['n10', 'n2001', null], 16);
    expect([...away]).toEqual([['n10', (10 * 1.875 + 2.25) * 16]]);
  });
});
