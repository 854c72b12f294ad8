import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FeedRecord, PollLine, PollReason, Remedy } from '../ipc';
import { en } from './en';
import { setCatalogue } from './index';
import { moment } from './format';
import {
  agoText,
  answerText,
  asksText,
  postsText,
  reasonText,
  reportText,
  requestsText,
  rhythmText,
  spanText,
  trafficText,
  whyText,
} from './record';
import { remedyText, tellsTrouble } from './remedies';

beforeAll(() => setCatalogue(en, 'en', 'en-GB'));
afterAll(() => setCatalogue(en, 'en'));

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = new Date(2026, 10, 20, 9, 30).getTime();
const at = (hour: number, minute: number) => new Date(2026, 10, 20, hour, minute).getTime();

const poll: PollLine = {
  at: at(9, 10),
  why: 'rhythm',
  conditional: true,
  status: 304,
  trouble: null,
  hops: [],
  took_ms: 120,
  bytes: 212,
  new_articles: 0,
  changed_articles: 0,
  next: at(11, 15),
  next_reason: 'rhythm',
};
const record: FeedRecord = {
  feed_id: 1,
  title: 'Ferrous Notes',
  url: 'https://ferrous.example/feed.xml',
  former_url: null,
  refresh_minutes: null,
  checked: at(9, 10),
  succeeded: at(9, 10),
  changed: now - DAY,
  next: at(11, 15),
  next_reason: 'rhythm',
  trouble: null,
  rhythm_minutes: 1440,
  newest: now - 3 * DAY,
  asks: { fresh_seconds: null, ttl_minutes: null, period_minutes: null, skip_hours: [], skip_days: [] },
  requests: 412,
  not_modified: 360,
  bytes: 1_200_000,
  bytes_saved: 34_000_000,
  remedies: [],
  polls: [poll],
};
const why = (change: Partial<FeedRecord>) => whyText({ ...record, ...change }, now);

describe('why a feed is asked when it is', () => {
  it('is one answer: what came, when next, and for what reason', () => {
    expect(why({})).toBe('Asked 09:10, nothing new. Asked again about 11:15, because it posts about once a day.');
    expect(why({ polls: [{ ...poll, status: 200, new_articles: 2 }] })).toMatch(/^Asked 09:10, 2 new articles\. /);
    expect(why({ next_reason: 'retry_after', next: at(11, 10) })).toBe(
      'Not asked before 11:10: the server asked to wait.',
    );
  });

  it('has words for every reason', () => {
    const reasons: Record<PollReason, RegExp> = {
      first: /first time/,
      hand: /because you asked for it/,
      usual: /once an hour/,
      rhythm: /posts about once a day/,
      wish: /you want it so/,
      bare: /cannot say whether anything changed/,
      fresh: /server says that its answer stays good/,
      ttl: /feed says that it stays good/,
      period: /updated so often/,
      skipped: /left alone/,
      failed: /grows with each failure/,
      retry_after: /server asked to wait/,
    };
    for (const [reason, words] of Object.entries(reasons) as [PollReason, RegExp][]) {
      expect(why({ next_reason: reason }), reason).toMatch(words);
      expect(reasonText(reason), reason).not.toContain('{');
    }
    expect(why({ rhythm_minutes: null })).toContain('about so often');
    expect(why({ newest: now - 760 * DAY })).toContain('posted nothing for a long time');
  });

  it('says when nothing more is asked, and why not', () => {
    expect(why({ refresh_minutes: 0, next: null, next_reason: null })).toContain('never asked by itself');
    expect(why({ next: null, next_reason: null, remedies: [{ kind: 'gone' }] })).toContain('it is gone');
    expect(why({ next: null, next_reason: null })).toContain('not asked again by itself');
    expect(why({ next: now - 1 })).toContain('due to be asked now');
    expect(why({ checked: null, polls: [] })).toMatch(/^Not asked yet\. /);
    expect(why({ trouble: { code: 'timeout', message: '', detail: null } })).toMatch(/^Asked 09:10, without success\./);
  });
});

describe('spans and rhythms', () => {
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
  ])('%d minutes: %s', (minutes, words) => expect(rhythmText(minutes)).toBe(words));

  it('are as exact as they were asked for', () => {
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

  it('are rough where they are long ago', () => {
    const ago = [0, 5 * 60_000, 3 * HOUR, 3 * DAY, 90 * DAY, 760 * DAY].map((past) => agoText(now - past, now));
    expect(ago).toEqual(['just now', '5 minutes ago', '3 hours ago', '3 days ago', '3 months ago', '2 years ago']);
  });

  it('name the moment within a sentence', () => {
    expect(moment(now + DAY, now)).toBe('tomorrow 09:30');
    expect(moment(now - 3 * DAY, now)).toBe('Tue 09:30');
    expect(moment(new Date(2026, 4, 3, 8).getTime(), now)).toBe('3 May 08:00');
    expect(moment(new Date(2024, 4, 3, 8).getTime(), now)).toBe('3 May 2024');
  });
});

describe('what a feed asks for and costs', () => {
  it('is told in words', () => {
    const asks = {
      fresh_seconds: 1800,
      ttl_minutes: 180,
      period_minutes: 1440,
      skip_hours: [23, 0, 1, 2],
      skip_days: [5, 6],
    };
    expect(asksText(asks)).toEqual([
      'Its server: the answer stays good for 30 minutes (max-age).',
      'The feed: it stays good for 3 hours (ttl).',
      'The feed: it is updated about once a day.',
      'The feed: leave it alone at these hours, GMT: 0–2, 23.',
      'The feed: leave it alone on Saturday and Sunday, GMT.',
    ]);
    expect(asksText(record.asks)).toEqual(['Neither the feed nor its server asks for anything.']);
  });

  it('is counted', () => {
    expect(postsText(record, now)).toBe('about once a day; newest article 3 days ago');
    expect(postsText({ ...record, newest: now - 760 * DAY }, now)).toContain(
      'until it went quiet; newest article 2 years',
    );
    expect(requestsText(record)).toBe('412 so far, 87% answered “nothing changed”');
    expect(requestsText({ ...record, requests: 0, not_modified: 0 })).toBe('None so far');
    expect(requestsText({ ...record, requests: 1000, not_modified: 999 })).toContain('99%');
    expect(trafficText(record)).toBe('1.2 MB received, 34 MB spared');
  });
});

describe('an answer', () => {
  it('is told in words', () => {
    const told = (change: Partial<PollLine>) => answerText({ ...poll, ...change });
    expect(told({})).toBe('Nothing changed');
    expect(told({ status: 200 })).toBe('The feed');
    expect(told({ status: 200, changed_articles: 2 })).toBe('The feed, 2 articles changed');
    expect(told({ status: null })).toBe('No answer');
    expect(told({ status: 410, trouble: { code: 'http_status', message: '', detail: '410' } })).toContain('given up');
  });
});

describe('the report', () => {
  it('can be laid beside the server’s log: UTC, statuses, bytes, redirects', () => {
    const text = reportText({ ...record, polls: [{ ...poll, hops: ['301 https://trees.example/feed'] }] }, now);
    const stamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
    expect(text).toContain('Ferrous Notes\nhttps://ferrous.example/feed.xml\n');
    expect(text).toContain(`Asked next: ${stamp(at(11, 15))} (Its rhythm)`);
    expect(text).toContain(
      [
        stamp(at(9, 10)),
        'Its rhythm',
        'What changed',
        '304 Nothing changed',
        '0',
        '120 ms',
        '212',
        '→ 301 https://trees.example/feed',
      ].join('\t'),
    );
    expect(text).not.toContain('{');
    expect(text).not.toContain('null');
  });

  it('says so where nothing was asked yet', () => {
    expect(reportText({ ...record, checked: null, polls: [], requests: 0 }, now)).toContain('not been asked yet');
  });
});

describe('remedies', () => {
  const feed = {
    url: 'https://ferrous.example/feed.xml',
    home_url: 'https://ferrous.example/blog/',
    trouble: {
      error: { code: 'http_status', message: '', detail: '503' } as const,
      since: now - 9 * DAY,
      next: null,
    },
  };
  const all: Record<Remedy['kind'], [Remedy, RegExp]> = {
    follow: [{ kind: 'follow', to: 'https://trees.example/feed', answers: 1 }, /moved to https:\/\/trees\.example/],
    merge: [{ kind: 'merge', feed_id: 2, title: 'The B-Tree' }, /same feed as The B-Tree/],
    switch: [{ kind: 'switch', to: 'https://trees.example/new', title: 'Trees' }, /another feed: Trees\./],
    parked: [{ kind: 'parked' }, /given up/],
    gone: [{ kind: 'gone' }, /gone for good/],
    not_a_feed: [{ kind: 'not_a_feed' }, /Where the feed was there is/],
    certificate: [{ kind: 'certificate' }, /certificate is not good/],
    attention: [{ kind: 'attention' }, /failed since 11 Nov 2026/],
    silent: [{ kind: 'silent', since: new Date(2024, 4, 3).getTime() }, /^Nothing new since May 2024\.$/],
    moved: [{ kind: 'moved', from: 'http://old.example/rss' }, /from http:\/\/old\.example\/rss/],
  };

  it.each(Object.values(all))('say what happened and what to do: %j', (remedy, words) => {
    for (const trouble of [feed.trouble, null]) {
      const text = remedyText({ ...feed, trouble }, remedy);
      expect(text.what + text.hint).not.toContain('{');
      expect(text.hint).toMatch(/[.]$/);
      if (trouble) expect(text.what).toMatch(words);
    }
  });

  it('tell the trouble themselves, or leave that to its own words', () => {
    expect(tellsTrouble([{ kind: 'gone' }])).toBe(true);
    expect(tellsTrouble([all.follow[0], all.moved[0]])).toBe(false);
  });
});
