import { afterEach, describe, expect, it } from 'vitest';
import type { Certificate, FeedConnection } from '../ipc';
import en from './en.json';
import { setCatalogue } from './index';
import { suggestionText, siteOf } from './suggestions';
import { certificateProblems, connectionFacts, fingerprintGroups } from './connection';

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
  it('has its problems listed', () => {
    expect(certificateProblems(certificate)).toEqual([
      'It expired on May 3, 2024.',
      'It was issued for example.org, not for feeds.example.com.',
      'It is self-signed.',
    ]);
    const many = { ...certificate, names: ['a', 'b', 'c', 'd'], faults: ['wrong_name' as const] };
    expect(certificateProblems(many)).toEqual(['It was issued for a, b, c, …, not for feeds.example.com.']);
    expect(certificateProblems({ ...many, names: [] })).toEqual([
      'It names no site, so it is not valid for feeds.example.com.',
    ]);
    expect(certificateProblems({ ...many, faults: ['not_yet_valid', 'untrusted'] })[0]).toContain('January 2, 2020');
  });

  it('has a complete fingerprint in eight groups', () => {
    const groups = fingerprintGroups(certificate.fingerprint);
    expect(groups).toHaveLength(8);
    expect(groups[1]).toBe('04:05:06:07');
    expect(groups.join(':')).toBe(certificate.fingerprint);
  });
});

describe('connection settings', () => {
  const usual: FeedConnection = {
    feed_id: 1,
    origin: 'https://example.com',
    former_origin: null,
    login: 'none',
    user_name: null,
    secret_store: null,
    user_agent: null,
    proxy: null,
    headers: [],
    certificate: null,
  };

  it('are empty when they are the default', () => {
    expect(connectionFacts(usual)).toEqual([]);
  });

  it('show where the secret is stored and sent', () => {
    expect(connectionFacts({ ...usual, login: 'basic', user_name: 'ada', secret_store: 'keyring' })).toEqual([
      {
        name: 'Login',
        lines: ['User name: ada', 'Password saved in the system keyring', 'Sent only to https://example.com'],
      },
    ]);
    const token = connectionFacts({ ...usual, login: 'bearer', secret_store: 'library' });
    expect(token[0]?.lines.slice(0, 2)).toEqual(['Token', 'Token saved in the library file']);
    const rest = connectionFacts({ ...usual, headers: ['X-A', 'X-B'], user_agent: 'Me/1', proxy: 'direct' });
    expect(rest.map((fact) => `${fact.name}: ${fact.lines[0]}`)).toEqual([
      'HTTP headers: X-A, X-B',
      'User-Agent: Me/1',
      'Proxy: No proxy',
    ]);
  });
});

describe('a file as a feed', () => {
  const file = { url: 'file:///home/ada/own.xml', home_url: null, error: null };

  it('is its own site and has suggestions', () => {
    expect(siteOf(file)).toBe(file.url);
    expect(suggestionText(file, { kind: 'not_a_feed' }).what).toBe('The address no longer returns a feed.');
  });
});
