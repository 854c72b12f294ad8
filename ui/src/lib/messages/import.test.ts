import { describe, expect, it } from 'vitest';
import type { ImportSummary } from '../ipc';
import { importReport } from './import';

const nothing: ImportSummary = {
  file: 'feeds.opml',
  feeds_added: 0,
  manual_feeds: 0,
  folders_added: 0,
  already_subscribed: [],
  articles: 0,
  starred: 0,
  existing_articles: 0,
  skipped: [],
  repairs: [],
  cancelled: false,
  archive: null,
  undo: null,
  error: null,
};

describe('the report of an import', () => {
  it('shows that nothing was imported', () => {
    expect(importReport(nothing)).toBe('feeds.opml\nNothing new to import');
  });

  it('lists unreadable entries with the reason', () => {
    const summary = {
      ...nothing,
      feeds_added: 2,
      already_subscribed: ['Harbour'],
      skipped: [{ outline: 'Moss', reason: { kind: 'no_url' as const } }],
    };
    expect(importReport(summary).split('\n')).toEqual([
      'feeds.opml',
      '2 feeds added',
      '',
      '1 entry could not be read',
      '- Moss: It has no feed address',
      '',
      '1 already present',
      '- Harbour',
    ]);
  });

  it('shows that a file could not be imported', () => {
    const error = { code: 'not_opml' as const, params: {} };
    expect(importReport({ ...nothing, error })).toMatch(/^feeds\.opml\nCouldn’t import this file\n./);
  });
});
