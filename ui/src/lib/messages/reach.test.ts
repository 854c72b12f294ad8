import { afterEach, describe, expect, it } from 'vitest';
import type { BackfillProgress, Certificate, FeedAccess } from '../ipc';
import { en } from './en';
import { setCatalogue } from './index';
import { remedyText, siteOf } from './remedies';
import { accessFacts, endText, faultTexts, fingerprintGroups, soFarText } from './reach';

afterEach(() => setCatalogue(en, 'en'));
setCatalogue(en, 'en');

const certificate: Certificate = {
  host: 'feeds.example.com',
  fingerprint: Array.from({ length: 32 }, (_, i) => i.toString(16).toUpperCase().padStart(2, '0')).join(':'),
  subject: 'CN=example.org',
  issuer: 'CN=example.org',
  names: ['example.org'],
  not_before: Date.UTC(2020, 0, 2, 12),
  not_after: Date.UTC(2024, 4, 3, 12),
  faults: ['expired', 'wrong_name', 'self_signed'],
};

describe('a certificate', () => {
  it('says what is wrong with it', () => {
    expect(faultTexts(certificate)).toEqual([
      'It expired on May 3, 2024.',
      'It is for example.org, and not for feeds.example.com.',
      'It is self-signed: nobody but itself vouches for it.',
    ]);
    const many = { ...certificate, names: ['a', 'b', 'c', 'd'], faults: ['wrong_name' as const] };
    expect(faultTexts(many)).toEqual(['It is for a, b, c, …, and not for feeds.example.com.']);
    expect(faultTexts({ ...many, names: [] })).toEqual(['It names no site, and so not feeds.example.com either.']);
    expect(faultTexts({ ...many, faults: ['not_yet_valid', 'untrusted'] })[0]).toContain('January 2, 2020');
  });

  it('has its fingerprint in eight groups that lose nothing', () => {
    const groups = fingerprintGroups(certificate.fingerprint);
    expect(groups).toHaveLength(8);
    expect(groups[1]).toBe('04:05:06:07');
    expect(groups.join(':')).toBe(certificate.fingerprint);
  });
});

describe('how a feed is reached', () => {
  const usual: FeedAccess = {
    feed_id: 1,
    origin: 'https://example.com',
    former_origin: null,
    login: 'none',
    user_name: null,
    kept: null,
    user_agent: null,
    proxy: null,
    headers: [],
    certificate: null,
  };

  it('has nothing to tell where it is like any other', () => {
    expect(accessFacts(usual)).toEqual([]);
  });

  it('tells where the secret is and where it goes', () => {
    expect(accessFacts({ ...usual, login: 'basic', user_name: 'ada', kept: 'keyring' })).toEqual([
      {
        name: 'Login',
        lines: ['As ada; a password is kept: in the keyring of this computer', 'Sent to https://example.com only'],
      },
    ]);
    const token = accessFacts({ ...usual, login: 'bearer', kept: 'library' });
    expect(token[0]?.lines[0]).toBe('With a token; a token is kept: in the library’s file');
    const rest = accessFacts({ ...usual, headers: ['X-A', 'X-B'], user_agent: 'Me/1', proxy: 'direct' });
    expect(rest.map((fact) => `${fact.name}: ${fact.lines[0]}`)).toEqual([
      'Headers: X-A, X-B',
      'User-Agent: Me/1',
      'Proxy: None',
    ]);
  });
});

describe('a file as a feed', () => {
  const file = { url: 'file:///home/ada/own.xml', home_url: null, trouble: null };

  it('has no site but itself, and remedies all the same', () => {
    expect(siteOf(file)).toBe(file.url);
    expect(remedyText(file, { kind: 'not_a_feed' }).what).toBe('Something else is where the feed was.');
  });
});

describe('a backfill', () => {
  const now = Date.UTC(2026, 10, 21, 9);
  const after = (ended: BackfillProgress['ended'], pages = 3, articles = 42): BackfillProgress => ({
    feed_id: 1,
    pages,
    articles,
    ended,
  });

  it('says how far it is', () => {
    expect(soFarText({ pages: 0, articles: 0 })).toBe('Looking for its archive…');
    expect(soFarText({ pages: 1, articles: 0 })).toBe('1 page read, no older article');
    expect(soFarText({ pages: 3, articles: 42 })).toBe('3 pages read, 42 older articles');
  });

  it('says how it ended and why', () => {
    expect(endText(after(null), now)).toBeNull();
    expect(endText(after({ kind: 'limit' }), now)).toBe(
      '3 pages read, 42 older articles. Stopped at the limit of pages; there is more.',
    );
    expect(endText(after({ kind: 'nothing_offered' }, 1, 0), now)).toMatch(/^It offers no archive/);
    expect(endText(after({ kind: 'failed', message: 'The server answered 500.' }, 0), now)).toBe(
      'It ended early: The server answered 500.',
    );
    expect(endText(after({ kind: 'wait', until: now + 600_000 }), now)).toContain('asks to be left alone until');
  });
});
