import { afterEach, describe, expect, it } from 'vitest';
import type { BackfillProgress } from '../ipc';
import { backfillEndText, backfillProgressText } from './backfill';
import en from './en.json';
import { setCatalogue } from './index';

afterEach(() => setCatalogue(en, 'en'));
setCatalogue(en, 'en');

describe('fetching older articles', () => {
  const now = Date.UTC(2026, 10, 21, 9);
  const after = (ended: BackfillProgress['ended'], pages = 3, articles = 42): BackfillProgress => ({
    feed_id: 1,
    pages,
    articles,
    ended,
  });

  it('shows the progress', () => {
    expect(backfillProgressText({ pages: 0, articles: 0 })).toBe('Looking for an archive…');
    expect(backfillProgressText({ pages: 1, articles: 0 })).toBe('1 page downloaded · no older articles');
    expect(backfillProgressText({ pages: 3, articles: 42 })).toBe('3 pages downloaded · 42 older articles');
  });

  it('shows how it ended and why', () => {
    expect(backfillEndText(after(null), now)).toBeNull();
    expect(backfillEndText(after({ kind: 'limit' }), now)).toBe(
      '3 pages downloaded · 42 older articles · Stopped at the page limit; there is more',
    );
    expect(backfillEndText(after({ kind: 'nothing_offered' }, 1, 0), now)).toMatch(/^This feed has no archive/);
    expect(
      backfillEndText(after({ kind: 'failed', error: { code: 'http_status', params: { status: '500' } } }, 0), now),
    ).toBe('Stopped early: The server returned error 500.');
    expect(backfillEndText(after({ kind: 'retry_after', until: now + 600_000 }), now)).toContain('asked to wait until');
  });
});
