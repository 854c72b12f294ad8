// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { breakLongWords } from './long-words';

const body = (html: string): Element => {
  const box = document.createElement('div');
  box.innerHTML = html;
  breakLongWords(box);
  return box;
};

it('adds break opportunities to extremely long words without changing the text', () => {
  const word = 'x'.repeat(5500);
  const text = `Before ${word} after 😀${'😀'.repeat(2000)}`;
  const box = body(`<p>${text}</p>`);
  expect(box.querySelectorAll('wbr').length).toBe(5 + 2);
  expect(box.textContent).toBe(text);
});

it('does not change normal words and code', () => {
  const html = `<p>${'A long text of short words. '.repeat(500)}</p><pre>${'x'.repeat(5000)}</pre>`;
  expect(body(html).innerHTML).toBe(html);
});
