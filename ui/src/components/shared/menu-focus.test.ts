// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { hasFocusLeft } from './menu-focus';

it('has left a menu for a field or another menu, not when it is in that menu or nowhere', () => {
  document.body.innerHTML = `<input><div role="menu" id="one"><i></i></div><div role="menu" id="two"><i></i></div>`;
  const left = (selector: string) => hasFocusLeft('one', document.querySelector(selector));
  expect(['input', '#two i', '#two', '#one i', '#one', 'body', 'none'].map(left)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
