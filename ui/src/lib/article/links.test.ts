// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { decodePunycode, shownHost } from './hosts';
import { claimedHost, doubtfulLinks, seen, tellLink } from './links';

const wire = (name: string) => new URL(`https://${name}/`).hostname;

describe('a host', () => {
  it('is read in its own letters where nobody can take them for others', () => {
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

  it('is shown as it goes over the wire where its letters look like others', () => {
    const tricks = [
      'аррӏе.com', // all Cyrillic
      'раураl.com', // Cyrillic and Latin
      'bаnk.com', // one letter of it
      'goοgle.com', // a Greek omicron
      'bankノlogin.com', // a stroke that looks like a slash
      'ɡoogle.com', // a phonetic letter
      'ıcloud.com', // no dot
      'i❤.example',
    ];
    for (const name of tricks) expect([name, shownHost(wire(name)).wire]).toEqual([name, true]);
  });

  it('is decoded as RFC 3492 says', () => {
    expect(decodePunycode('bcher-kva')).toBe('bücher');
    expect(decodePunycode('ihqwcrb4cv8a8dqg056pqjye')).toBe('他们为什么不说中文');
    expect(decodePunycode('99999999999')).toBeNull();
    expect(decodePunycode('ü')).toBeNull();
  });
});

describe('words that name an address', () => {
  it('are those that are one and nothing else', () => {
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

  it('are doubted where the link leads elsewhere', () => {
    const doubts = (address: string, words: string) => tellLink(address, words)?.doubts.map((doubt) => doubt.kind);
    expect(doubts('https://evil.example/', 'https://bank.com')).toEqual(['claims']);
    expect(doubts('https://bank.com.evil.example/', 'bank.com')).toEqual(['claims']);
    expect(doubts('https://bank.com/x', 'https://www.bank.com/x')).toEqual([]);
    expect(doubts('https://login.bank.com/x', 'bank.com')).toEqual([]);
    expect(doubts('http://bank.com/x', 'docs.bank.com')).toEqual([]);
    expect(doubts('https://evil.example/', 'my bank')).toEqual([]);
  });
});

describe('a link', () => {
  it('is told in three parts', () => {
    expect(tellLink('https://bücher.example:8080/%C3%BC/a%20b?q=%2F#x')).toMatchObject({
      before: 'https://',
      host: 'bücher.example',
      after: ':8080/ü/a%20b?q=%2F#x',
      refused: null,
      doubts: [],
    });
    expect(tellLink('https://example.org/')?.after).toBe('');
  });

  it('hides nobody before an @', () => {
    const told = tellLink('https://bank.com%2Flogin@evil.example/');
    expect(told).toMatchObject({ before: 'https://bank.com%2Flogin@', host: 'evil.example' });
    expect(told?.doubts).toEqual([{ kind: 'user', user: 'bank.com%2Flogin' }]);
  });

  it('shows what turns the order of letters, and what has no shape', () => {
    expect(seen('a\u202Egpj.exe\u200B')).toBe('a\\u{202E}gpj.exe\\u{200B}');
    expect(tellLink('https://example.org/%E2%80%AEgpj.exe')?.after).toBe('/%E2%80%AEgpj.exe');
    expect(tellLink('magnet:?dn=\u202Ex')?.after).not.toMatch(/\u202E/);
  });

  it('names schemes that are not opened', () => {
    expect(tellLink('magnet:?xt=urn:btih:ab')).toMatchObject({ refused: 'magnet', after: 'magnet:?xt=urn:btih:ab' });
    expect(tellLink('mailto:a@example.org')).toMatchObject({ refused: null, after: 'mailto:a@example.org' });
    expect(tellLink('no address')).toBeNull();
  });

  it('is cut where it would fill the pane', () => {
    expect(tellLink(`https://example.org/${'a'.repeat(5000)}`)?.after.length).toBeLessThan(210);
  });

  it('is found in a page where there is doubt about it', () => {
    const page = document.createElement('div');
    page.innerHTML =
      '<a href="https://evil.example/1">https://bank.com</a><a href="https://fine.example/">fine.example</a><a href="#n">bank.com</a>';
    expect([...doubtfulLinks(page).keys()]).toEqual(['https://evil.example/1']);
  });
});
