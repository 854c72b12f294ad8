import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MarkChange, SyncLogEntry } from '../ipc';
import en from './en.json';
import { setCatalogue } from './index';
import { causeText, changeText, costText, outcomeText, rejectionTexts } from './sync-log';
import { progressText } from './sync-progress';

beforeAll(() => setCatalogue(en, 'en', 'en-GB'));
afterAll(() => setCatalogue(en, 'en'));

const entry: SyncLogEntry = {
  at: 0,
  duration_ms: 1400,
  requests: 7,
  bytes: 2048,
  sent: 0,
  new_articles: 0,
  changed_articles: 0,
  feeds_added: 0,
  feeds_left: 0,
  incomplete: false,
  stopped: false,
  error: null,
  rejections: [],
  times: 1,
};
const change: MarkChange = {
  at: 0,
  mark: 'read',
  tag: null,
  on: false,
  cause: 'server',
  account: 'FreshRSS',
  rule: null,
};

describe('log of synchronisations', () => {
  it('says what changed, and that nothing did', () => {
    expect(outcomeText(entry)).toBe('No changes');
    expect(outcomeText({ ...entry, new_articles: 2, sent: 1, feeds_left: 1 })).toBe(
      '2 new articles · 1 change sent · 1 feed unsubscribed',
    );
    expect(outcomeText({ ...entry, error: { code: 'offline', params: {} }, stopped: true })).toMatch(/ · Stopped$/);
  });

  it('says what it cost, and how often it failed', () => {
    expect(costText(entry)).toBe('7 requests · 1.4 s · 2 kB');
    expect(costText({ ...entry, times: 3 })).toMatch(/^3 times in a row · /);
  });

  it('names what the server did not accept', () => {
    const rejections = [{ kind: 'refused', title: 'Boats' } as const];
    expect(rejectionTexts({ ...entry, incomplete: true, rejections })).toEqual([
      'The server’s lists were incomplete, so some changes made elsewhere may be missing.',
      'The server refused the change of “Boats”.',
    ]);
  });

  it('says how far a synchronisation is', () => {
    const at = { account_id: 2, stage: 'articles', done: 250, total: 10_000 } as const;
    expect(progressText(at)).toBe('Downloading articles: 250 of 10,000');
    expect(progressText({ ...at, total: null })).toBe('250 articles downloaded');
    expect(progressText({ ...at, stage: 'send' })).toBe('Sending changes…');
  });
});

describe('history of marks', () => {
  it('says what changed and where', () => {
    expect([changeText(change), causeText(change)]).toEqual([
      'Unread',
      'Changed at FreshRSS, by another app or on its site',
    ]);
    const tagged: MarkChange = { ...change, mark: 'tag', tag: 'Later', on: true, cause: 'rule', rule: 'Boats' };
    expect([changeText(tagged), causeText(tagged)]).toEqual(['Tag “Later” added', 'Rule “Boats”']);
    expect(causeText({ ...change, cause: 'sent', account: null })).toBe('Sent to a deleted account');
  });
});
