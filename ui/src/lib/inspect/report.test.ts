import { describe, expect, it } from 'vitest';
import type { FeedInfo, FeedReport, PollLogEntry } from '../ipc';
import { markdownReport } from './report';

const poll: PollLogEntry = {
  at: Date.UTC(2026, 10, 22, 10, 0),
  reason: 'posting_frequency',
  conditional: true,
  status: 200,
  error: null,
  redirects: ['301 https://ann:sesame@example.com/new?token=9f8e7d6c5b4a39281706'],
  duration_ms: 340,
  bytes: 48_200,
  new_articles: 1,
  changed_articles: 0,
  next: null,
  next_reason: null,
};

const record = {
  title: 'A *feed* | of `mine`',
  url: 'https://ann:sesame@example.com/feed?key=9f8e7d6c5b4a39281706',
  error: null,
  polls: [poll],
} as unknown as FeedInfo;

const report: FeedReport = {
  at: poll.at,
  format: 'rss-2.0',
  encoding: 'utf-8',
  encoding_source: 'http',
  well_formed: false,
  repairs: [
    { kind: 'bare-ampersand', line: 12, column: 9, detail: '& ``', text: '<title>A & `B`</title>', at: 9 },
    { kind: 'brand-new', line: 1200, column: 1, detail: '', text: '', at: 0 },
  ],
  repairs_total: 5,
  feed: [],
  items: [],
  items_total: 3,
};

describe('report for a publisher', () => {
  const text = markdownReport(record, report, poll.at);

  it('contains the requests and repairs with their lines', () => {
    expect(text).toContain('# Feed report: A \\*feed\\* \\| of \\`mine\\`');
    expect(text).toContain('- Format: RSS 2.0');
    expect(text).toContain('- Line 12, column 9: Unescaped ampersand · Found: ``` & `` ```');
    expect(text).toContain('\n      <title>A & `B`</title>\n');
    expect(text).toContain('- Line 1200, column 1: Not well-formed\n');
    expect(text).toContain('3 more repairs are not shown.');
    expect(text).toContain('| 2026-11-22 10:00:00 UTC | 200');
  });

  it('contains no secrets', () => {
    for (const secret of ['ann', 'sesame', '9f8e7d6c5b4a']) expect(text).not.toContain(secret);
    expect(text).toContain('`https://example.com/feed?key=…`');
  });

  it('is short without data', () => {
    const bare = markdownReport({ ...record, polls: [] }, null, poll.at);
    expect(bare.split('\n').filter(Boolean)).toHaveLength(3);
    expect(markdownReport(record, { ...report, repairs: [], repairs_total: 0 }, 0)).toContain('No repairs needed');
  });
});
