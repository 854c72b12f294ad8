// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { repeatsFirstLine, rowTexts } from './repeated-title';

describe('a row', () => {
  const texts = (title: string, excerpt: string) => {
    const shown = rowTexts({ title, excerpt });
    return [shown.title, shown.excerpt];
  };

  it('shows the text of a post without a title once', () => {
    const text = 'The harbour was empty this morning, and no one knew where the boats had gone.';
    expect(texts('The harbour was empty this morning, and no one…', text)).toEqual(['', text]);
    expect(texts('The harbour was empty', 'The harbour was empty')).toEqual(['The harbour was empty', '']);
    expect(texts('Nets are back.', 'Nets are back. The first ones were sold.')).toEqual([
      'Nets are back.',
      'The first ones were sold.',
    ]);
    expect(texts('今日は晴れ。', '今日は晴れ。 海も静か。')).toEqual(['今日は晴れ。', '海も静か。']);
    expect(texts('🐟', '🐟')).toEqual(['🐟', '']);
  });

  it('does not show an excerpt that is the beginning of its title', () => {
    expect(texts('A very long title that goes on', 'A very long title…')).toEqual([
      'A very long title that goes on',
      '',
    ]);
  });

  it('keeps other texts, also those that begin with the same words', () => {
    for (const [title, excerpt] of [
      ['Version 2', 'Version 2 is faster.'],
      ['Version 2', 'Version 21 is out.'],
      ['Nets', 'Network news'],
      ['One', 'Two'],
      ['', 'Only text'],
      ['Only a title', ''],
    ] as const)
      expect(texts(title, excerpt)).toEqual([title, excerpt]);
    expect(texts('Wait for it…', 'Wait for it… The tide comes.')).toEqual(['Wait for it…', 'The tide comes.']);
  });

  it('knows where its text begins in the excerpt', () => {
    const excerpt = 'Nets. Boats';
    expect(excerpt.slice(rowTexts({ title: 'Nets', excerpt }).from)).toBe('Boats');
  });
});

describe('an article', () => {
  const repeats = (title: string, html: string) => {
    const body = document.createElement('div');
    body.innerHTML = html;
    return repeatsFirstLine(title, body);
  };

  it('has a title that repeats its first line', () => {
    expect(repeats('The harbour is empty', '<div>\n<p>The <b>harbour</b> is empty</p><p>More</p></div>')).toBe(true);
    expect(repeats('The harbour is…', '<p>The harbour is empty, and more.</p>')).toBe(true);
    expect(repeats('One', 'One<br>Two')).toBe(true);
    expect(repeats('One', '<p><img alt="x"></p><p>One</p>Two')).toBe(true);
  });

  it('has a title of its own', () => {
    expect(repeats('Version 2', '<p>Version 2 is out.</p>')).toBe(false);
    expect(repeats('Nets', '<h1>Nets</h1><p>Text</p>')).toBe(false);
    expect(repeats('Nets', '<p>Boats</p>')).toBe(false);
    expect(repeats('', '<p>Boats</p>')).toBe(false);
    expect(repeats('Nets', '')).toBe(false);
  });
});
