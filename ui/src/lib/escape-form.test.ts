// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { escapeForm, mayLeaveDialog } from './escape-form';
import { toasts } from './state/toasts.svelte';

function form(typed: boolean) {
  document.body.innerHTML =
    '<form><input><button data-cancel>Cancel</button><select aria-expanded="true"></select></form>';
  const [element] = document.querySelectorAll('form');
  const leave = vi.fn();
  const dialog = vi.fn();
  const handler = escapeForm(() => typed, leave);
  element?.addEventListener('keydown', (event) => handler(event as never), { capture: true });
  document.body.onkeydown = dialog;
  const press = (on: string, key = 'Escape') =>
    document.querySelector(on)?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  return { press, leave, dialog };
}

it('leaves an empty form, not the dialog around it', () => {
  const { press, leave, dialog } = form(false);
  press('input', 'a');
  expect(dialog).toHaveBeenCalledTimes(1);
  press('input');
  expect(leave).toHaveBeenCalledTimes(1);
  expect(dialog).toHaveBeenCalledTimes(1);
});

it('keeps what was typed and offers to discard it', () => {
  const { press, leave, dialog } = form(true);
  press('input');
  expect(leave).not.toHaveBeenCalled();
  expect(dialog).not.toHaveBeenCalled();
  expect(document.activeElement?.hasAttribute('data-cancel')).toBe(true);
  expect(toasts.shown[0]?.text).toContain('Escape');
  press('[data-cancel]');
  expect(leave).toHaveBeenCalledTimes(1);
  expect(dialog).not.toHaveBeenCalled();
});

it('leaves an open list of options to itself', () => {
  const { press, leave } = form(false);
  press('select');
  expect(leave).not.toHaveBeenCalled();
});

it('keeps a dialog open while a form in it has unsaved text', () => {
  document.body.innerHTML =
    '<div role="dialog"><form><input></form><form data-typed="true"><button data-cancel>Cancel</button></form></div>';
  expect(mayLeaveDialog()).toBe(false);
  expect(document.activeElement?.hasAttribute('data-cancel')).toBe(true);
  document.querySelector('[data-typed]')?.remove();
  expect(mayLeaveDialog()).toBe(true);
});
