// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { linkAddresses } from './web-addresses';

/** Returns the links that are made of a text. */
function links(html: string): (string | null)[] {
  const body = document.createElement('main');
  body.innerHTML = html;
  const text = body.textContent;
  linkAddresses(body);
  // The text itself never changes: highlights and notes are found by their words.
  expect(body.textContent).toBe(text);
  return [...body.querySelectorAll('a')].map((link) => link.getAttribute('href'));
}

describe('web addresses in plain text', () => {
  it('become links', () => {
    expect(links('<p>See https://a.example/b?c=d&amp;e#f and HTTP://b.example.</p>')).toEqual([
      'https://a.example/b?c=d&e#f',
      'HTTP://b.example',
    ]);
  });

  it('end before punctuation, but keep their own brackets', () => {
    expect(links('(https://a.example/x), https://a.example/y_(z)! „https://a.example/ü“: [https://b.example]')).toEqual(
      ['https://a.example/x', 'https://a.example/y_(z)', 'https://a.example/ü', 'https://b.example'],
    );
    expect(links('詳細はhttps://a.example/bを見る。')).toEqual(['https://a.example/b']);
  });

  it('stay text in links, code and formulas, and without a host', () => {
    const html =
      '<a href="https://a.example">https://b.example</a><pre>https://c.example</pre><code>https://d.example</code>' +
      '<span class="tex">\\href{https://e.example}{x}</span> https:// http://x xhttps://f.example https://%';
    expect(links(html)).toEqual(['https://a.example']);
  });

  it('are found in time linear in the text', () => {
    const address = `https://a.example/${'x'.repeat(50)}`;
    expect(links(`${address} `.repeat(20_000))).toHaveLength(20_000);
    expect(links(`https://a.example/${')'.repeat(100_000)}`)).toEqual(['https://a.example/']);
  });
});
