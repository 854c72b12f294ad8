import { describe, expect, it } from 'vitest';
import { clock, speedText } from './playback';

describe('the player', () => {
  it('formats times like a clock', () => {
    const shown = [0, 9.9, 75, 3600, 36_061, Number.NaN, Infinity, -3].map(clock);
    expect(shown).toEqual(['0:00', '0:09', '1:15', '1:00:00', '10:01:01', '0:00', '0:00', '0:00']);
  });

  it('formats speeds as a factor', () => {
    expect([0.5, 1, 1.25].map(speedText)).toEqual(['0.5×', '1×', '1.25×']);
  });
});
