import { describe, expect, it } from 'vitest';
import { passageAt, passagesWith } from './transcript.svelte';

const passages = [
  { start: null, speaker: null, text: 'A foreword' },
  { start: 5, speaker: 'Ada', text: 'The Thresher' },
  { start: 9.5, speaker: 'Bo', text: 'threshes' },
];

describe('a transcript', () => {
  it('finds the passage at a position', () => {
    expect([0, 4.9, 9.4, 9.5, 100].map((at) => passageAt(passages, at))).toEqual([-1, 1, 2, 2, 2]);
    expect(passageAt([], 1)).toBe(-1);
  });

  it('finds passages by their words, ignoring case', () => {
    expect(passagesWith(passages, ' THRESHe')).toEqual([1, 2]);
    expect(passagesWith(passages, 'Ada')).toEqual([]);
    expect(passagesWith(passages, ' ')).toEqual([]);
  });
});
