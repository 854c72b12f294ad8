import { describe, expect, it } from 'vitest';
import { inheritText, keepText, typedNumber, wordsText } from './keeping';

const everything = { days: null, articles: null, bytes: null, keep_unread: true };

describe('what is kept', () => {
  it('is said in words', () => {
    expect(keepText(everything)).toBe('everything');
    expect(keepText({ ...everything, days: 90 })).toBe('90 days');
    expect(keepText({ days: 1, articles: 500, bytes: 2_000_000, keep_unread: true })).toBe(
      '1 day, the newest 500, and 2 MB of text',
    );
  });

  it('says where it is said', () => {
    const keeping = {
      own: null,
      inherited: everything,
      inherited_from: null,
      going: 0,
      going_until: null,
      library_bytes: 0,
    };
    expect(inheritText(keeping)).toBe('As for all feeds: everything');
    expect(inheritText({ ...keeping, inherited_from: 'News', inherited: { ...everything, days: 7 } })).toBe(
      'As for News: 7 days',
    );
  });

  it('says how many words changed', () => {
    expect(wordsText({ inserted: 1, deleted: 2000 })).toBe('1 word came and 2,000 words went');
  });

  it('takes whole numbers above 0', () => {
    expect([' 12 ', '', '0', '1.5', '-3', 'x'].map(typedNumber)).toEqual([12, null, NaN, NaN, NaN, NaN]);
  });
});
