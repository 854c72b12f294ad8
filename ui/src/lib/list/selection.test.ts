import { describe, expect, it } from 'vitest';
import { NONE, ranged, toggled } from './selection';

const rows = [1, 2, 3, 4, 5].map((id) => ({ id }));
const ids = (picks: typeof NONE) => [...picks.ids].sort();

describe('selection', () => {
  it('adds and removes a row', () => {
    const two = toggled(toggled(NONE, 4), 2);
    expect(ids(two)).toEqual([2, 4]);
    expect(ids(toggled(two, 4))).toEqual([2]);
  });

  it('extends from its anchor in both directions', () => {
    const down = ranged(rows, NONE, 1, 3);
    expect(ids(down)).toEqual([2, 3, 4]);
    expect(ids(ranged(rows, down, 3, 0))).toEqual([1, 2]);
    expect(ids(ranged(rows, toggled(NONE, 5), 0, 2))).toEqual([3, 4, 5]);
  });

  it('starts again if its anchor has left the list', () => {
    expect(ids(ranged(rows, { ids: new Set([9]), anchor: 9 }, 2, 3))).toEqual([3, 4]);
  });
});
