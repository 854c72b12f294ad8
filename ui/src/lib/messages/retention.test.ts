import { describe, expect, it } from 'vitest';
import { inheritedText, retentionText, typedNumber, changedWordsText } from './retention';

const everything = { days: null, articles: null, bytes: null, keep_unread: true };

describe('retention', () => {
  it('shows the limits', () => {
    expect(retentionText(everything)).toBe('Keep everything');
    expect(retentionText({ ...everything, days: 90 })).toBe('90 days');
    expect(retentionText({ days: 1, articles: 500, bytes: 2_000_000, keep_unread: true })).toBe(
      '1 day · newest 500 articles · 2 MB of text',
    );
  });

  it('shows where an inherited policy comes from', () => {
    const keeping = {
      own: null,
      inherited: everything,
      inherited_from: null,
      pending_deletion: 0,
      pending_deletion_until: null,
      library_bytes: 0,
    };
    expect(inheritedText(keeping)).toBe('Default: Keep everything');
    expect(inheritedText({ ...keeping, inherited_from: 'News', inherited: { ...everything, days: 7 } })).toBe(
      'From folder News: 7 days',
    );
  });

  it('counts changed words', () => {
    expect(changedWordsText({ inserted: 1, deleted: 2000 })).toBe('1 word added · 2,000 words removed');
  });

  it('accepts whole numbers above 0', () => {
    expect([' 12 ', '', '0', '1.5', '-3', 'x'].map(typedNumber)).toEqual([12, null, NaN, NaN, NaN, NaN]);
  });
});
