import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ArticleRow, Feed, SearchHit } from '../../lib/ipc';
import { list } from '../../lib/state/list.svelte';
import { rowName } from './row-name';

const NOW = new Date('2026-11-28T12:00:00Z').getTime();
const ROW = {
  id: 1,
  feed_id: 1,
  title: 'On rye',
  excerpt: 'Rye stands upright.',
  published: NOW,
  sort_at: NOW,
  read: true,
  starred: false,
  updated: false,
  media: null,
  duration: null,
  played: null,
  reading_minutes: 1,
} as unknown as ArticleRow;
const FEED = { id: 1, title: 'Grain' } as unknown as Feed;

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(NOW);
});

afterEach(() => {
  vi.useRealTimers();
  list.source = { kind: 'unread' };
  list.rows = [];
});

/** All parts but the date. */
const parts = (row: Partial<ArticleRow>) =>
  rowName({ ...ROW, ...row }, FEED)
    .split(', ')
    .slice(0, -1);

test('a row is named by its parts, joined by commas', () => {
  expect(parts({})).toEqual(['On rye', 'Grain']);
  expect(parts({ read: false, updated: true, starred: true, reading_minutes: 4 })).toEqual([
    'Unread',
    'On rye',
    'Grain',
    '4 min',
    'Updated after it was received',
    'Starred',
  ]);
  expect(parts({ media: 'audio', duration: 61 })).toEqual(['On rye', 'Grain', 'Audio', '1:01']);
  const played = { seconds: 10, duration: 61, finished: false };
  const episode = { media: 'audio', duration: 61 };
  expect(parts({ ...episode, played })).toEqual(['On rye', 'Grain', 'Audio', '0:51 left']);
  expect(parts({ ...episode, played: { ...played, duration: null } })).toEqual([
    'On rye',
    'Grain',
    'Audio',
    'Stopped at 0:10',
  ]);
  expect(parts({ ...episode, played: { ...played, finished: true } })).toEqual([
    'On rye',
    'Grain',
    'Audio',
    '1:01',
    'Played',
  ]);
  // In "Continue listening": a recording in the text.
  expect(parts({ played, reading_minutes: 4 })).toEqual(['On rye', 'Grain', '0:51 left']);
  list.source = { kind: 'feed', id: 1 };
  expect(parts({ title: '', excerpt: '' })).toEqual(['Untitled']);
});

test('a result of a search names the author that was found', () => {
  const row = { ...ROW, author: 'Ada' };
  const found = (author_marks: SearchHit['author_marks']) =>
    rowName(row, FEED, { row, title_marks: [], author_marks, snippet: '', snippet_marks: [] }).split(', ').slice(0, -1);
  expect(found([])).toEqual(['On rye', 'Grain']);
  expect(found([{ from: 0, until: 3 }])).toEqual(['On rye', 'Grain', 'Ada']);
});

test('no comma is glued to the next part or ends the name', () => {
  expect(rowName(ROW, FEED)).not.toMatch(/\s,|,\S|,\s*$/);
});

test('in the list of a feed by several authors, a row names its author', () => {
  const [byAda, byGrace] = [
    { ...ROW, author: 'Ada' },
    { ...ROW, id: 2, author: 'Grace' },
  ];
  list.rows = [byAda, byGrace, { ...ROW, id: 3, author: null }];
  expect(parts(byAda)).toEqual(['On rye', 'Grain']);
  list.source = { kind: 'feed', id: 1 };
  expect(parts(byAda)).toEqual(['On rye', 'Ada']);
  list.rows = [byAda, { ...byAda, id: 2 }];
  expect(parts(byAda)).toEqual(['On rye']);
});
