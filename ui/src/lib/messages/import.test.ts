import { describe, expect, it } from 'vitest';
import type { ImportSummary } from '../ipc';
import { importReport } from './import';

const nothing: ImportSummary = {
  file: 'feeds.opml',
  added: 0,
  unasked: 0,
  folders_added: 0,
  already: [],
  articles: 0,
  starred: 0,
  known: 0,
  skipped: [],
  repairs: [],
  cancelled: false,
  archive: null,
  error: null,
};

describe('the report of an import', () => {
  it('says that nothing came', () => {
    expect(importReport(nothing)).toBe('feeds.opml\nNothing new came in');
  });

  it('names what could not be read, and why', () => {
    const summary = {
      ...nothing,
      added: 2,
      already: ['Harbour'],
      skipped: [{ outline: 'Moss', reason: 'no address' }],
    };
    expect(importReport(summary).split('\n')).toEqual([
      'feeds.opml',
      '2 feeds added',
      '',
      '1 entry could not be read',
      '- Moss: no address',
      '',
      '1 was there already',
      '- Harbour',
    ]);
  });

  it('says that a file could not be imported', () => {
    const error = { code: 'file' as const, message: 'no OPML', detail: null };
    expect(importReport({ ...nothing, error })).toMatch(/^feeds\.opml\nThis file could not be imported\n./);
  });
});
