// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { decodePunycode, shownHost } from './hosts';
import { claimedHost, suspiciousLinksOf, seen, describeLink } from './links';

const wire = (name: string) => new URL(`https://${name}/`).hostname;

describe('displayed host', () => {
  it('is decoded if its letters cannot be confused with others', () => {
    for (const name of [
      'bücher.example',
      'пример.рф',
      'кухня.com',
      '日本語ガイド.jp',
      '한국.kr',
      'ελλάδα.gr',
      'مثال.إختبار',
      'føø.dk',
    ])
      expect(shownHost(wire(name))).toEqual({ text: name, wire: false });
  });

  it('stays in Punycode if its letters are confusable', () => {
    const tricks = [
      'аррӏе.com', // all Cyrillic
      'раураl.com', // Cyrillic and Latin
      'bаnk.com', // one Cyrillic letter
      'goοgle.com', // Greek omicron
      'bankノlogin.com', // a stroke that looks like a slash
      'ɡoogle.com', // a phonetic letter
      'ıcloud.com', // dotless i
      'i❤.example',
    ];
    for (const name of tricks) expect([name, shownHost(wire(name)).wire]).toEqual([name, true]);
  });

  it('is decoded according to RFC 3492', () => {
    expect(decodePunycode('bcher-kva')).toBe('bücher');
    expect(decodePunycode('ihqwcrb4cv8a8dqg056pqjye')).toBe('他们为什么不说中文');
    expect(decodePunycode('99999999999')).toBeNull();
    expect(decodePunycode('ü')).toBeNull();
  });
});

describe('link text that names an address', () => {
  it('is recognised only if it is nothing but an address', () => {
    expect(claimedHost('https://bank.com/login')).toBe('bank.com');
    expect(claimedHost(' Bank.com ')).toBe('bank.com');
    expect(claimedHost('www.bank.com')).toBe('www.bank.com');
    expect(claimedHost('ba\u200bnk.com')).toBe('bank.com');
    expect(claimedHost('https://bank。com')).toBe('bank.com');
    expect(claimedHost('example.org/a…')).toBe('example.org');
    for (const words of [
      'Node.js',
      'README.md',
      'ASP.NET',
      'e.g.',
      'Read on',
      '3.14',
      'see bank.com today',
      '',
      'https://x',
    ])
      expect([words, claimedHost(words)]).toEqual([words, null]);
  });

  it('is suspicious if the link leads to another site', () => {
    const reasons = (address: string, words: string) =>
      describeLink(address, words)?.reasons.map((reason) => reason.kind);
    expect(reasons('https://evil.example/', 'https://bank.com')).toEqual(['claims']);
    expect(reasons('https://bank.com.evil.example/', 'bank.com')).toEqual(['claims']);
    expect(reasons('https://bank.com/x', 'https://www.bank.com/x')).toEqual([]);
    expect(reasons('https://login.bank.com/x', 'bank.com')).toEqual([]);
    expect(reasons('http://bank.com/x', 'docs.bank.com')).toEqual([]);
    expect(reasons('https://evil.example/', 'my bank')).toEqual([]);
  });
});

describe('displayed link', () => {
  it('is split into three parts', () => {
    expect(describeLink('https://bücher.example:8080/%C3%BC/a%20b?q=%2F#x')).toMatchObject({
      before: 'https://',
      host: 'bücher.example',
      after: ':8080/ü/a%20b?q=%2F#x',
      refused: null,
      reasons: [],
    });
    expect(describeLink('https://example.org/')?.after).toBe('');
  });

  it('shows user names before an @', () => {
    const described = describeLink('https://bank.com%2Flogin@evil.example/');
    expect(described).toMatchObject({ before: 'https://bank.com%2Flogin@', host: 'evil.example' });
    expect(described?.reasons).toEqual([{ kind: 'user', user: 'bank.com%2Flogin' }]);
  });

  it('shows direction overrides and invisible characters', () => {
    expect(seen('a\u202Egpj.exe\u200B')).toBe('a\\u{202E}gpj.exe\\u{200B}');
    expect(describeLink('https://example.org/%E2%80%AEgpj.exe')?.after).toBe('/%E2%80%AEgpj.exe');
    expect(describeLink('magnet:?dn=\u202Ex')?.after).not.toMatch(/\u202E/);
  });

  it('names schemes that are not opened', () => {
    expect(describeLink('magnet:?xt=urn:btih:ab')).toMatchObject({
      refused: 'magnet',
      after: 'magnet:?xt=urn:btih:ab',
    });
    expect(describeLink('mailto:a@example.org')).toMatchObject({ refused: null, after: 'mailto:a@example.org' });
    expect(describeLink('no address')).toBeNull();
  });

  it('is truncated if it is too long', () => {
    expect(describeLink(`https://example.org/${'a'.repeat(5000)}`)?.after.length).toBeLessThan(210);
  });

  it('is collected from a page if it is suspicious', () => {
    const page = document.createElement('div');
    page.innerHTML =
      '<a href="https://evil.example/1">https://bank.com</a><a href="https://fine.example/">fine.example</a><a href="#n">bank.com</a>';
    expect([...suspiciousLinksOf(page).keys()]).toEqual(['https://evil.example/1']);
  });
});
