// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { expectLinear } from '../testing/linear';
import { PageText } from './passages';

function page(html: string): { root: Element; text: PageText } {
  const root = document.createElement('main');
  root.innerHTML = html;
  document.body.replaceChildren(root);
  return { root, text: new PageText(root) };
}

/** Returns the text of the page where the passage was found. */
function found(text: PageText, quote: Parameters<PageText['find']>[0]): string | null {
  const span = text.find(quote);
  return span && text.text.slice(span.start, span.end);
}

function select(text: PageText, words: string, from = 0) {
  const start = text.text.indexOf(words, from);
  return text.quote(text.range({ start, end: start + words.length })!)!;
}

describe('page text', () => {
  it('has one space for white space, block boundaries and line breaks', () => {
    const { text } = page(
      '\n<h2>Title</h2><p>One  <em>two</em>\n three.</p><p>Four<br>fi\u00adve<b>six</b></p><ul><li>a</li><li>b</li></ul>',
    );
    expect(text.text).toBe('Title One two three. Four fivesix a b');
  });

  it('maps spans back to the page', () => {
    const { text } = page('<p> One  <em>two</em>\n three. </p>\n<p>Four<br>fi\u00adve<b>six</b> <i> </i>seven</p>');
    for (let start = 0; start < text.text.length; start++)
      for (let end = start + 1; end <= text.text.length; end++) {
        const words = text.text.slice(start, end);
        if (words !== words.trim()) continue;
        expect(text.quote(text.range({ start, end })!), words).toMatchObject({ exact: words, start });
      }
  });

  it('handles selections of elements and ignores empty ones', () => {
    const { root, text } = page('<p>One</p><p>Two</p><p> </p><p>Three</p>');
    const range = document.createRange();
    range.setStart(root, 1);
    range.setEnd(root, 3);
    expect(text.quote(range)).toEqual({ exact: 'Two', prefix: 'One ', suffix: ' Three', start: 4 });
    range.setStart(root, 2);
    expect(text.quote(range)).toBeNull();
  });
});

describe('passage', () => {
  const before = page(
    '<p>The mill takes in wheat. The mill takes in rye, and what the mill takes in it grinds by night.</p>',
  ).text;
  const second = select(before, 'The mill takes in', 10);

  it('is found in its place', () => expect(before.find(second)?.start).toBe(second.start));

  it('is found by its context after it has moved', () => {
    const { text } = page(
      '<h1>A full text</h1><p>The mill takes in wheat.</p>\n<p>The mill takes in rye, and more.</p>',
    );
    expect(text.find(second)?.start).toBe(text.text.indexOf('The mill takes in rye'));
  });

  it('is found with other quotation marks', () => {
    const quote = select(page('<p>He said: “It’s a mill” – so.</p>').text, '“It’s a mill” –');
    expect(found(page('<p>Well. He said: "It\'s a mill" - so.</p>').text, quote)).toBe('"It\'s a mill" -');
  });

  it('is found with a changed word', () => {
    const quote = select(
      page('<p>It is well known that the mill grinds by night, whatever the miller says.</p>').text,
      'the mill grinds by night,',
    );
    const { text } = page('<p>It is well known that the mill grinds by day, whatever the miller says.</p>');
    expect(found(text, quote)?.trim()).toBe('the mill grinds by day,');
  });

  it('is not found if it was removed', () => {
    expect(found(page('<p>Nothing of that.</p>').text, second)).toBeNull();
    expect(found(page('').text, second)).toBeNull();
    // The context is there, but with other text in between.
    const quote = select(
      page('<p>It is well known that cats sleep, whatever the miller says.</p>').text,
      'cats sleep,',
    );
    expect(found(page('<p>It is well known that rye grows, whatever the miller says.</p>').text, quote)).toBeNull();
  });

  it('is found in linear time in a page that repeats one word', () => {
    expectLinear(
      500_000,
      (count) => page(`<p>${'a '.repeat(count)}</p>`).text,
      (text) => expect(text.find({ exact: 'a', prefix: 'b ', suffix: ' b', start: 50_001 })).not.toBeNull(),
    );
  });
});
