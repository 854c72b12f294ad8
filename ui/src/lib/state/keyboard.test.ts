// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';

vi.mock('../ipc', async (original) => ({ ...(await original()), call: () => Promise.resolve({ lost_feeds: [] }) }));

const { dialogs } = await import('./dialogs.svelte');
const { keydown } = await import('./keyboard.svelte');
const { library } = await import('./library.svelte');
const { toasts } = await import('./toasts.svelte');
const { undo } = await import('./undo.svelte');

const restored = vi.fn();
const again = vi.fn(() => Promise.resolve());

async function press(target: Element, key: string, ctrlKey = false, shiftKey = false): Promise<void> {
  target.addEventListener('keydown', (event) => keydown(event as KeyboardEvent), { once: true });
  target.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, shiftKey, cancelable: true }));
  await undo.idle;
}

afterEach(() => {
  dialogs.close();
  undo.forget();
  vi.clearAllMocks();
});

it.each([
  ['u', false],
  ['z', true],
])('undoes and redoes in a dialog after the message is gone: %s', async (key, ctrlKey) => {
  library.status = 'ready';
  library.firstRun = false;
  dialogs.show({ kind: 'queue' });
  undo.push({ step: 1, restore: restored, again });
  toasts.forget();
  const row = document.body.appendChild(document.createElement('button'));
  await press(row, key, ctrlKey);
  expect(restored).toHaveBeenCalledTimes(1);
  toasts.forget();
  await press(row, 'Z', true, true);
  expect(again).toHaveBeenCalledTimes(1);
});

it('leaves the keys to text fields and menus', async () => {
  library.status = 'ready';
  library.firstRun = false;
  dialogs.show({ kind: 'queue' });
  undo.push({ step: 1, restore: restored });
  const field = document.body.appendChild(document.createElement('input'));
  for (const [key, ctrlKey] of [
    ['u', false],
    ['z', true],
  ] as const)
    await press(field, key, ctrlKey);
  const closed = dialogs.menuOpened(() => {});
  await press(document.body.appendChild(document.createElement('button')), 'u');
  closed();
  expect(restored).not.toHaveBeenCalled();
});
