import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import { openWindow } from '../../../tests/window';
import type { ArticleRow, CommandName } from '../ipc';
import { list } from './list.svelte';
import { openRow } from './navigation';
import { notes } from './notes.svelte';
import { quit, storeWhenHidden } from './quit';
import { settings } from './settings.svelte';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
  on: (name: never, handler: never) => {
    const stop = test.core?.on(name, handler);
    return () => void stop?.then((end) => end());
  },
}));

const core = () => test.core as TestCore;
const names = () => core().calls.map(([name]) => name);

let opened: number;
let close: () => Promise<void>;

beforeEach(async () => {
  test.core = await TestCore.open();
  close = await openWindow(core());
  const row = list.rows[1] as ArticleRow;
  opened = row.id;
  openRow(row);
  settings.change({ hide_read: true });
  core().calls = [];
});

afterEach(() => close());

it('stores what it shows and what was changed just now before it quits', async () => {
  await quit();
  expect(names().at(-1)).toBe('answer_close');
  expect(await core().call('window_state')).toMatchObject({ article: opened });
  expect(await core().call('settings')).toMatchObject({ hide_read: true });
});

it('stores the text of a note that is being typed, before it quits', async () => {
  const draft = notes.begin('article', opened, '');
  draft.text = 'The quiet kind of work';
  draft.typed();
  await quit();
  expect(names().at(-1)).toBe('answer_close');
  expect(await core().call('notes', { id: opened })).toMatchObject([{ text: 'The quiet kind of work' }]);
});

it('quits even if something cannot be stored, or takes long', async () => {
  core().refused = { command: 'save_settings', code: 'disk_full' };
  await quit();
  expect(names().at(-1)).toBe('answer_close');
  core().refused = null;
  vi.spyOn(settings, 'store').mockReturnValueOnce(new Promise(() => {}));
  core().calls = [];
  const quitting = quit();
  await vi.advanceTimersByTimeAsync(1999);
  expect(names()).not.toContain('answer_close');
  await vi.advanceTimersByTimeAsync(1);
  await quitting;
  expect(names().at(-1)).toBe('answer_close');
});

it('stores it when the window is hidden', async () => {
  const page = Object.assign(new EventTarget(), { hidden: true });
  vi.stubGlobal('document', page);
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  const stop = storeWhenHidden();
  openRow(list.rows[2] as ArticleRow);
  page.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toContain('save_window_state');
  expect(names()).toContain('save_settings');
  stop();
});
