import { describe, expect, it } from 'vitest';
import { clock, times } from './time';

describe('lengths of time', () => {
  it('are told as clocks tell them', () => {
    const told = [0, 9.9, 75, 3600, 36_061, Number.NaN, Infinity, -3].map(clock);
    expect(told).toEqual(['0:00', '0:09', '1:15', '1:00:00', '10:01:01', '0:00', '0:00', '0:00']);
  });

  it('and speeds by their factor', () => {
    expect([0.5, 1, 1.25].map(times)).toEqual(['0.5×', '1×', '1.25×']);
  });
});
