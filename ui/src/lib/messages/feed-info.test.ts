import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FeedInfo, PollLogEntry, PollReason, FeedSuggestion } from '../ipc';
import en from './en.json';
import { setCatalogue } from './index';
import { moment } from './format';
import {
  agoText,
  responseText,
  requestedText,
  postingText,
  reasonText,
  reportText,
  requestsText,
  frequencyText,
  spanText,
  trafficText,
  scheduleText,
} from './feed-info';
import { suggestionText, explainsError } from './suggestions';

beforeAll(() => setCatalogue(en, 'en', 'en-GB'));
afterAll(() => setCatalogue(en, 'en'));

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = new Date(2026, 10, 20, 9, 30).getTime();
const at = (hour: number, minute: number) => new Date(2026, 10, 20, hour, minute).getTime();

const poll: PollLogEntry = {
  at: at(9, 10),
  reason: 'posting_frequency',
  conditional: true,
  status: 304,
  error: null,
  error_text: null,
  redirects: [],
  duration_ms: 120,
  bytes: 212,
  new_articles: 0,
  changed_articles: 0,
  next: at(11, 15),
  next_reason: 'posting_frequency',
};
const record: FeedInfo = {
  feed_id: 1,
  title: 'Ferrous Notes',
  url: 'https://ferrous.example/feed.xml',
  former_url: null,
  refresh_minutes: null,
  checked: at(9, 10),
  succeeded: at(9, 10),
  changed: now - DAY,
  next: at(11, 15),
  next_reason: 'posting_frequency',
  error: null,
  posting_interval_minutes: 1440,
  newest: now - 3 * DAY,
  requested: { max_age_seconds: null, ttl_minutes: null, period_minutes: null, skip_hours: [], skip_days: [] },
  requests: 412,
  not_modified: 360,
  bytes: 1_200_000,
  bytes_saved: 34_000_000,
  suggestions: [],
  polls: [poll],
};
const why = (change: Partial<FeedInfo>) => scheduleText({ ...record, ...change }, now);

describe('the schedule of a feed', () => {
  it('shows the last check, and the next one with its reason', () => {
    expect(why({})).toBe(
      'Last checked 09:10: nothing new. Next check around 11:15, based on its posting frequency: about once a day.',
    );
    expect(why({ polls: [{ ...poll, status: 200, new_articles: 2 }] })).toMatch(
      /^Last checked 09:10: 2 new articles\. /,
    );
    expect(why({ polls: [{ ...poll, status: 200, changed_articles: 1 }] })).toMatch(
      /^Last checked 09:10: 1 article changed\. /,
    );
    expect(why({ next_reason: 'retry_after', next: at(11, 10) })).toBe(
      'No check before 11:10: the server asked to wait.',
    );
  });

  it('has a message for every reason', () => {
    const reasons: Record<PollReason, RegExp> = {
      first: /First check/,
      hand: /requested a refresh/,
      usual: /hourly by default/,
      posting_frequency: /frequency: about once a day/,
      preference: /your setting/,
      no_validators: /can’t report changes/,
      fresh: /caching header/,
      ttl: /feed’s ttl/,
      period: /update period/,
      skipped: /not to be checked earlier/,
      failed: /grows after each failure/,
      retry_after: /server asked to wait/,
      silent_host: /did not respond/,
    };
    for (const [reason, words] of Object.entries(reasons) as [PollReason, RegExp][]) {
      expect(why({ next_reason: reason }), reason).toMatch(words);
      expect(reasonText(reason), reason).not.toContain('{');
    }
    expect(why({ posting_interval_minutes: null })).toContain('based on how often it posts');
    expect(why({ newest: now - 760 * DAY })).toContain('not posted for a long time');
  });

  it('shows when there is no next check, and why', () => {
    expect(why({ refresh_minutes: 0, next: null, next_reason: null })).toContain('Never checked automatically');
    expect(why({ next: null, next_reason: null, suggestions: [{ kind: 'gone' }] })).toContain('the feed is gone');
    expect(why({ next: null, next_reason: null })).toContain('Not checked automatically');
    expect(why({ next: now - 1 })).toContain('Due now');
    expect(why({ checked: null, polls: [] })).toMatch(/^Not checked yet\. /);
    expect(why({ error: { code: 'timeout', params: { host: 'example.com' } } })).toMatch(
      /^Last checked 09:10: failed\./,
    );
  });
});

describe('durations and frequencies', () => {
  it.each([
    [15, 'about every 15 minutes'],
    [60, 'about once an hour'],
    [120, 'about 12 times a day'],
    [1440, 'about once a day'],
    [3 * 1440, 'about every 3 days'],
    [7 * 1440, 'about once a week'],
    [14 * 1440, 'about every 2 weeks'],
    [30 * 1440, 'about once a month'],
    [91 * 1440, 'about every 3 months'],
    [365 * 1440, 'about once a year'],
    [900 * 1440, 'less than once a year'],
  ])('%d minutes: %s', (minutes, words) => expect(frequencyText(minutes)).toBe(words));

  it('are exact for intervals', () => {
    expect([0.5, 30, 60, 90, 180, 1440, 2160, 10_080].map(spanText)).toEqual([
      '30 seconds',
      '30 minutes',
      '1 hour',
      '90 minutes',
      '3 hours',
      '1 day',
      '36 hours',
      '7 days',
    ]);
  });

  it('are approximate for ages', () => {
    const ago = [0, 5 * 60_000, 3 * HOUR, 3 * DAY, 90 * DAY, 760 * DAY].map((past) => agoText(now - past, now));
    expect(ago).toEqual(['just now', '5 minutes ago', '3 hours ago', '3 days ago', '3 months ago', '2 years ago']);
  });

  it('format a moment within a sentence', () => {
    expect(moment(now + DAY, now)).toBe('tomorrow 09:30');
    expect(moment(now - 3 * DAY, now)).toBe('Tue 09:30');
    expect(moment(new Date(2026, 4, 3, 8).getTime(), now)).toBe('3 May 08:00');
    expect(moment(new Date(2024, 4, 3, 8).getTime(), now)).toBe('3 May 2024');
  });
});

describe('schedule hints and traffic', () => {
  it('have a sentence for each hint', () => {
    const asks = {
      max_age_seconds: 1800,
      ttl_minutes: 180,
      period_minutes: 1440,
      skip_hours: [23, 0, 1, 2],
      skip_days: [5, 6],
    };
    expect(requestedText(asks)).toEqual([
      'Server caching: 30 minutes (max-age).',
      'Feed: valid for 3 hours (ttl).',
      'Feed: updated about once a day.',
      'Feed: skip these hours (GMT): 0–2, 23.',
      'Feed: skip Saturday and Sunday (GMT).',
    ]);
    expect(requestedText(record.requested)).toEqual(['No schedule hints from the feed or its server.']);
  });

  it('show the posting frequency and the requests', () => {
    expect(postingText(record, now)).toBe('about once a day · newest article: 3 days ago');
    expect(postingText({ ...record, newest: now - 760 * DAY }, now)).toContain(
      'until it stopped posting · newest article: 2 years',
    );
    expect(requestsText(record)).toBe('412 requests · 87% not modified');
    expect(requestsText({ ...record, requests: 0, not_modified: 0 })).toBe('None yet');
    expect(requestsText({ ...record, requests: 1000, not_modified: 999 })).toContain('99%');
    expect(trafficText(record)).toBe('1.2 MB received · 34 MB saved');
  });
});

describe('a response', () => {
  it('has a short text', () => {
    const textOf = (change: Partial<PollLogEntry>) => responseText({ ...poll, ...change });
    expect(textOf({})).toBe('Not modified');
    expect(textOf({ status: 200 })).toBe('OK');
    expect(textOf({ status: 200, changed_articles: 2 })).toBe('OK, 2 articles changed');
    expect(textOf({ status: null })).toBe('No response');
    expect(textOf({ status: 410, error: { code: 'gone', params: {} } })).toContain('removed');
    const old = { error: { code: 'unknown', params: {} }, error_text: 'text of an older version' } as const;
    expect(textOf(old)).toBe('text of an older version');
  });
});

describe('the report', () => {
  it('has UTC times, statuses, bytes and redirects as in the server’s log', () => {
    const text = reportText({ ...record, polls: [{ ...poll, redirects: ['301 https://trees.example/feed'] }] }, now);
    const stamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
    expect(text).toContain('Ferrous Notes\nhttps://ferrous.example/feed.xml\n');
    expect(text).toContain(`Next check: ${stamp(at(11, 15))} (Posting frequency)`);
    expect(text).toContain(
      [
        stamp(at(9, 10)),
        'Posting frequency',
        'Conditional',
        '304 Not modified',
        '0',
        '120 ms',
        '212',
        '→ 301 https://trees.example/feed',
      ].join('\t'),
    );
    expect(text).not.toContain('{');
    expect(text).not.toContain('null');
  });

  it('says when the feed has not been checked yet', () => {
    expect(reportText({ ...record, checked: null, polls: [], requests: 0 }, now)).toContain('Not checked yet');
  });
});

describe('suggestions', () => {
  const feed = {
    url: 'https://ferrous.example/feed.xml',
    home_url: 'https://ferrous.example/blog/',
    error: {
      error: { code: 'http_status', params: { status: '503' } } as const,
      since: now - 9 * DAY,
      next: null,
      needs_attention: true,
    },
  };
  const all: Record<FeedSuggestion['kind'], [FeedSuggestion, RegExp]> = {
    follow: [
      { kind: 'follow', to: 'https://trees.example/feed', responses_left: 1 },
      /moved to https:\/\/trees\.example/,
    ],
    merge: [{ kind: 'merge', feed_id: 2, title: 'The B-Tree' }, /same feed as The B-Tree/],
    switch: [{ kind: 'switch', to: 'https://trees.example/new', title: 'Trees' }, /another feed: Trees\./],
    parked: [{ kind: 'parked' }, /expired or been parked/],
    gone: [{ kind: 'gone' }, /permanently removed/],
    not_a_feed: [{ kind: 'not_a_feed' }, /returned error 503/],
    certificate: [{ kind: 'certificate' }, /returned error 503/],
    private_network: [{ kind: 'private_network' }, /ferrous\.example now leads to a private network/],
    long_failing: [{ kind: 'long_failing' }, /failed since 11 Nov 2026/],
    inactive: [{ kind: 'inactive', since: new Date(2024, 4, 3).getTime() }, /^No new articles since May 2024\.$/],
    moved: [{ kind: 'moved', from: 'http://old.example/rss' }, /from http:\/\/old\.example\/rss/],
  };

  it.each(Object.values(all))('say what happened and what to do: %j', (suggestion, words) => {
    for (const error of [feed.error, null]) {
      const text = suggestionText({ ...feed, error }, suggestion);
      expect(text.what + text.hint).not.toContain('{');
      expect(text.hint).toMatch(/[.]$/);
      if (error) expect(text.what).toMatch(words);
    }
  });

  it('either explain the feed error or leave it to its own message', () => {
    expect(explainsError([{ kind: 'gone' }])).toBe(true);
    expect(explainsError([all.follow[0], all.moved[0]])).toBe(false);
  });
});
