// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { keepFocus } from './keep-focus';

const group = (name: string) =>
  `<section id="${name}"><button>Unsubscribe</button><p role="option" tabindex="-1">1</p><p role="option" tabindex="0" id="of-${name}">2</p></section>`;

const at = (selector: string) => document.querySelector<HTMLElement>(selector)!;

/** Focuses an element, removes others, and returns what has the focus then. */
function removed(focused: string, ...gone: string[]): string | undefined {
  at(focused).focus();
  const after = keepFocus(at('#root'));
  for (const one of gone) at(one).remove();
  after();
  return document.activeElement?.id;
}

beforeEach(() => {
  const groups = ['first', 'second', 'third'].map(group).join('');
  document.body.innerHTML = `<button id="close"></button><div id="root" tabindex="-1"><button id="all"></button>${groups}</div>`;
});

test('the focus of a removed group goes to the next group, else to the one before', () => {
  expect(removed('#second button', '#second')).toBe('of-third');
  expect(removed('#of-third', '#third')).toBe('of-first');
  expect(removed('#of-first', '#first')).toBe('root');
});

test('the focus of a removed button stays in its group', () => {
  expect(removed('#second button', '#second button')).toBe('of-second');
  expect(removed('#all', '#all')).toBe('of-first');
});

test('a focus elsewhere, or on what stays, does not move', () => {
  expect(removed('#of-second', '#third')).toBe('of-second');
  expect(removed('#close', '#first')).toBe('close');
});
