import { describe, expect, it } from 'vitest';
import type { ImportPreview, ImportSummary } from '../ipc';
import {
  hasMarks,
  importHeadline,
  importReport,
  isManual,
  isNothingNew,
  isTruncated,
  mergedText,
  nothingNew,
  previewHeadline,
} from './import';

const nothing: ImportSummary = {
  file: 'feeds.opml',
  feeds_added: 0,
  manual_feeds: 0,
  folders_added: 0,
  already_subscribed: [],
  repeated: [],
  articles: 0,
  starred: 0,
  existing_articles: 0,
  marked: 0,
  skipped: [],
  repairs: [],
  cancelled: false,
  archive: null,
  undo: null,
  undo_keeps_articles: false,
  error: null,
};

describe('the report of an import', () => {
  it('shows that nothing was imported', () => {
    expect(importReport(nothing)).toBe('feeds.opml\nNothing new to import');
  });

  it('does not say that nothing was imported if marks were', () => {
    const archive = {
      existing_feeds: 2,
      articles_added: 0,
      existing_articles: 9,
      marked: 4,
      rules_added: 0,
      searches_added: 0,
      images: 0,
      skipped: 0,
    };
    expect(importReport({ ...nothing, file: 'two.zip', archive }).split('\n')).toEqual([
      'two.zip',
      'No new feeds or articles',
      '2 feeds already present',
      '9 articles already present',
      'Read and starred state restored for 4 articles',
    ]);
  });

  it('counts the articles in the library that were marked', () => {
    const marked = { ...nothing, existing_articles: 9, marked: 2 };
    expect(importHeadline(marked)).toBe('2 existing articles marked');
    expect(importHeadline({ ...marked, articles: 3, marked: 1 })).toBe('3 articles · 1 existing article marked');
  });

  it('lists unreadable entries with the reason', () => {
    const summary = {
      ...nothing,
      feeds_added: 2,
      already_subscribed: ['Harbour'],
      repeated: ['Barley'],
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
      '',
      '1 duplicate feed in the file',
      '- Barley',
    ]);
  });

  it('shows that a file could not be imported', () => {
    const error = { code: 'not_opml' as const, params: {} };
    expect(importReport({ ...nothing, error })).toMatch(/^feeds\.opml\nCouldn’t import this file\n./);
  });
});

describe('what a file contains', () => {
  const empty: ImportPreview = {
    file: 'feeds.opml',
    program: 'OPML',
    new_feeds: 0,
    manual_feeds: 0,
    subscribed: 0,
    repeated: 0,
    folders: 0,
    has_articles: false,
    articles: null,
    existing_articles: 0,
    has_marks: false,
    skipped: 0,
    truncated: false,
    feeds: [],
    error: null,
  };

  it('counts feeds that are not refreshed, as the result does', () => {
    expect(previewHeadline({ ...empty, new_feeds: 2, manual_feeds: 1 })).toBe('3 new feeds');
    expect(importHeadline({ ...nothing, feeds_added: 2, manual_feeds: 1 })).toBe('3 feeds added');
    const manual = { ...empty, manual_feeds: 1 };
    expect([isNothingNew(manual), previewHeadline(manual)]).toEqual([false, '1 new feed']);
    expect(importHeadline({ ...nothing, manual_feeds: 1 })).toBe('1 feed added');
  });

  it('marks the feeds that will not be refreshed, which follow the other new ones', () => {
    const feeds = [false, false, false, true].map((subscribed) => ({ title: '', folder: '', subscribed }));
    const shown = (new_feeds: number, manual_feeds: number) =>
      feeds.map((_, at) => isManual({ ...empty, new_feeds, manual_feeds, feeds }, at));
    expect(shown(2, 1)).toEqual([false, false, true, false]);
    expect(shown(3, 0)).toEqual([false, false, false, false]);
    // Only the first feeds are listed.
    expect(shown(9, 4)).toEqual([false, false, false, false]);
  });

  it('tells a file without feeds from one with nothing new', () => {
    expect([isNothingNew(empty), nothingNew(empty)]).toEqual([true, 'No feeds in this file']);
    const known = { ...empty, subscribed: 2, folders: 1 };
    expect([isNothingNew(known), nothingNew(known)]).toEqual([true, 'Nothing new to import']);
  });

  it('says that an archive has no new feeds and articles', () => {
    const known = { ...empty, subscribed: 2, folders: 1, articles: 0, existing_articles: 9 };
    const archive = { ...known, program: 'Gleaner', has_marks: true };
    expect([isNothingNew(archive), nothingNew(archive)]).toEqual([true, 'No new feeds or articles']);
    const some = { ...archive, articles: 3, has_articles: true };
    expect([isNothingNew(some), previewHeadline(some)]).toEqual([false, '1 folder · 3 articles · Gleaner']);
  });

  it('tells whether a file of another reader has nothing new, or marks for articles in the library', () => {
    const known = { ...empty, program: 'Liferea', subscribed: 2, articles: 0, existing_articles: 9 };
    expect([isNothingNew(known), hasMarks(known), nothingNew(known)]).toEqual([true, false, 'Nothing new to import']);
    const marked = { ...known, has_marks: true };
    expect([isNothingNew(marked), nothingNew(marked)]).toEqual([true, 'No new feeds or articles']);
    expect(mergedText(marked)).not.toContain('notes');
    expect(mergedText({ ...marked, program: 'Gleaner' })).toContain('notes');
  });

  it('says that a file was cut off', () => {
    const repair = { kind: 'truncated', line: 1, column: 9, detail: '', detail_values: [], text: '', at: 0 };
    expect(isTruncated({ ...nothing, repairs: [repair] })).toBe(true);
    expect(isTruncated({ ...nothing, repairs: [{ ...repair, kind: 'bare-ampersand' }] })).toBe(false);
  });
});
