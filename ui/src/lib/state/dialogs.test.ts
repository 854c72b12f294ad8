import { beforeEach, expect, it } from 'vitest';
import { dialogs } from './dialogs.svelte';
import { toasts } from './toasts.svelte';

beforeEach(() => {
  toasts.shown = [];
  dialogs.close();
});

const turn = () => new Promise((done) => setTimeout(done));

it('leaves nothing covered where a dialog cannot be made, and offers another try', async () => {
  dialogs.show({ kind: 'statistics' });
  const asked = dialogs.open;
  void dialogs.made(Promise.reject(new Error('gone')));
  await turn();
  expect(dialogs.covered).toBe(false);
  expect(toasts.shown).toMatchObject([{ trouble: true }]);
  toasts.shown[0]?.action?.run();
  expect(dialogs.open).toEqual(asked);
});

it('lets the dialog be that was opened meanwhile', async () => {
  dialogs.show({ kind: 'statistics' });
  void dialogs.made(Promise.reject(new Error('gone')));
  dialogs.show({ kind: 'keys' });
  await turn();
  expect(dialogs.open?.kind).toBe('keys');
  expect(toasts.shown).toEqual([]);
});

it('is made of what came', async () => {
  dialogs.show({ kind: 'statistics' });
  expect(await dialogs.made(Promise.resolve('whole'))).toBe('whole');
  expect(dialogs.open?.kind).toBe('statistics');
});
