import { render } from 'svelte/server';
import { beforeEach, expect, it, vi } from 'vitest';
import App from '../../App.svelte';
import { dialogs } from './dialogs.svelte';
import { layout } from './layout.svelte';
import { toasts } from './toasts.svelte';

const overlays = vi.hoisted(() => ({ loaded: false }));
vi.mock('../../components/views/Overlays.svelte', () => {
  overlays.loaded = true;
  return { default: () => {} };
});

beforeEach(() => {
  toasts.shown = [];
  dialogs.close();
});

const turn = () => new Promise((done) => setTimeout(done));

it('closes a dialog that fails to load and offers a retry', async () => {
  dialogs.show({ kind: 'statistics' });
  const opened = dialogs.open;
  void dialogs.load(Promise.reject(new Error('gone')));
  await turn();
  expect(dialogs.covered).toBe(false);
  expect(toasts.shown).toMatchObject([{ isError: true }]);
  toasts.shown[0]?.action?.run();
  expect(dialogs.open).toEqual(opened);
});

it('says whether a dialog was still open when its work was done', () => {
  dialogs.show({ kind: 'add' });
  const { open } = dialogs;
  dialogs.close();
  // The user has closed it.
  expect(dialogs.close(open)).toBe(false);
  dialogs.show({ kind: 'keys' });
  expect([dialogs.close(open), dialogs.open?.kind]).toEqual([false, 'keys']);
  expect(dialogs.close()).toBe(true);
});

it('keeps a dialog that was opened in the meantime', async () => {
  dialogs.show({ kind: 'statistics' });
  void dialogs.load(Promise.reject(new Error('gone')));
  dialogs.show({ kind: 'keys' });
  await turn();
  expect(dialogs.open?.kind).toBe('keys');
  expect(toasts.shown).toEqual([]);
});

it('closes only the dialog whose action is done', () => {
  dialogs.show({ kind: 'starter' });
  const { open } = dialogs;
  dialogs.show({ kind: 'keys' });
  dialogs.close(open);
  expect(dialogs.open?.kind).toBe('keys');
  dialogs.close();
  expect(dialogs.open).toBeNull();
});

it('renders the loaded module', async () => {
  dialogs.show({ kind: 'statistics' });
  expect(await dialogs.load(Promise.resolve('whole'))).toBe('whole');
  expect(dialogs.open?.kind).toBe('statistics');
});

it('shows a dialog while a library is loading', async () => {
  layout.drawn = false;
  void render(App).body;
  await vi.dynamicImportSettled();
  expect(overlays.loaded).toBe(false);
  dialogs.show({ kind: 'keys' });
  void render(App).body;
  await vi.dynamicImportSettled();
  expect(overlays.loaded).toBe(true);
});
