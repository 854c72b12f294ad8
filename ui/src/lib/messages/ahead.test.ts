import { describe, expect, it } from 'vitest';
import type { AheadProgress, AheadState, ErrorCode } from '../ipc';
import { keptText, roundText, wishName, wishOf } from './ahead';
import { errorText } from './errors';

const state: AheadState = {
  settings: {
    all: wishOf('none'),
    starred: wishOf('both'),
    room: 2_000_000_000,
    largest: 10_000_000,
    paused: false,
  },
  waiting: 0,
  failed: 0,
  texts: 0,
  pictures: 0,
  bytes: 0,
  running: false,
};
const progress: AheadProgress = {
  running: true,
  texts: 1,
  pictures: 12,
  failed: 0,
  left: 3,
  offline: false,
  elsewhere: false,
};

describe('what is fetched ahead', () => {
  it('is told with what waits and what could not be had', () => {
    expect(keptText(state)).toEqual(['Nothing is kept yet.']);
    const full = { ...state, texts: 1, pictures: 2000, bytes: 812_000_000, waiting: 2, failed: 1 };
    expect(keptText(full)).toEqual([
      'Kept: 1 full text and 2,000 pictures, 812 MB.',
      '2 texts and pictures are still to be fetched.',
      '1 text or picture could not be fetched.',
    ]);
  });

  it('is told while it goes on, and why it does not', () => {
    expect(roundText(null)).toBe('');
    expect(roundText(progress)).toBe('Fetching: 1 full text and 12 pictures so far.');
    expect(roundText({ ...progress, running: false })).toBe('');
    expect(roundText({ ...progress, running: false, offline: true })).toContain('offline');
    expect(roundText({ ...progress, running: false, elsewhere: true })).toContain('Another Gleaner');
  });

  it('is wished by one of four names', () => {
    for (const name of ['none', 'text', 'pictures', 'both'] as const) expect(wishName(wishOf(name))).toBe(name);
  });

  it('says why a page gives no full text', () => {
    const code: ErrorCode = 'no_full_text';
    const words = (detail: string) => errorText({ code, message: '', detail }).what;
    expect(words('less')).toContain('less than the feed');
    expect(words('no_article')).toContain('No article');
    expect(words('unheard of')).toBe('The page gives no full text.');
  });
});
