// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { pageMenu } from './page-menu.svelte';

const BY_KEY = { x: -1, y: -1 };
const request = vi.spyOn(pageMenu, 'request').mockReturnValue();
let focused: Element = document.body;
vi.spyOn(document, 'activeElement', 'get').mockImplementation(() => focused);

beforeEach(() => request.mockClear());

it('opens the menu of a click wherever the focus is', () => {
  focused = document.createElement('main');
  pageMenu.requestedByWebKit({ x: 12, y: 0 });
  expect(request).toHaveBeenCalledWith({ x: 12, y: 0 });
});

it('opens the menu of a key in a frame only: elements outside frames have opened their own', () => {
  for (const name of ['main', 'div', 'body']) {
    focused = document.createElement(name);
    pageMenu.requestedByWebKit(BY_KEY);
  }
  expect(request).not.toHaveBeenCalled();
  focused = document.createElement('iframe');
  pageMenu.requestedByWebKit(BY_KEY);
  expect(request).toHaveBeenCalledWith(BY_KEY);
});
