// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dialogs } from './dialogs.svelte';
import { FrameFocus } from './frame-focus';

const [frame, home] = [document.createElement('iframe'), document.createElement('button')];
const focus = new FrameFocus(
  () => frame,
  () => home,
);
let focused: Element = home;

/** Opens a menu. Returns whether it is still open. */
function openMenu(): () => boolean {
  let open = true;
  const closed = dialogs.menuOpened(() => {
    if (open) closed();
    open = false;
  });
  return () => open;
}

/** The frame is clicked. Returns the element with the focus once the window has noticed it. */
function click(meanwhile: () => void = () => {}): Element {
  focused = frame;
  focus.blurred();
  meanwhile();
  vi.runAllTimers();
  return focused;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(document, 'activeElement', 'get').mockImplementation(() => focused);
  vi.spyOn(home, 'focus').mockImplementation(() => void (focused = home));
});

afterEach(() => {
  dialogs.closeMenus();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('closes the menus that are open when a frame is clicked, and takes the focus back', () => {
  const [one, other] = [openMenu(), openMenu()];
  expect([click(), one(), other(), dialogs.menus]).toEqual([home, false, false, 0]);
});

it('keeps the menu that the click opens, and leaves it the focus', () => {
  const before = openMenu();
  let opened = before;
  const now = click(() => {
    dialogs.closeMenus();
    opened = openMenu();
  });
  expect([now, before(), opened(), dialogs.menus]).toEqual([frame, false, true, 1]);
});

it('does nothing if another program or another element has taken the focus', () => {
  const menu = openMenu();
  expect([click(() => (focused = document.body)), menu()]).toEqual([document.body, true]);
});

it('leaves a frame the focus that it got by Tab', () => {
  focus.key(new KeyboardEvent('keydown', { key: 'Tab' }));
  expect(click()).toBe(frame);
  vi.advanceTimersByTime(1000);
  expect(click()).toBe(home);
});
