import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const calls = vi.hoisted(() => [] as string[]);
vi.mock('../ipc', async (original) => ({
  ...(await original()),
  call: (name: string) => {
    calls.push(name);
    return Promise.resolve();
  },
}));

const { unloadWhenHidden, HIDDEN_FOR, UNDO_FOR } = await import('./unload');
const { dialogs } = await import('./dialogs.svelte');
const { notes } = await import('./notes.svelte');
const { player } = await import('./player.svelte');
const { rules } = await import('./rules.svelte');
const { undo } = await import('./undo.svelte');

const page = Object.assign(new EventTarget(), { hidden: false });
let stop: () => void;

function setHidden(hidden: boolean): void {
  page.hidden = hidden;
  page.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  calls.length = 0;
  stop = unloadWhenHidden();
});

afterEach(() => {
  stop();
  setHidden(false);
  dialogs.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('unloads a window that has been hidden for a minute', () => {
  vi.advanceTimersByTime(10 * HIDDEN_FOR);
  expect(calls).toEqual([]);
  setHidden(true);
  vi.advanceTimersByTime(HIDDEN_FOR - 1);
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(calls).toEqual(['unload_window']);
});

it('keeps a window that is shown again in time', () => {
  setHidden(true);
  vi.advanceTimersByTime(HIDDEN_FOR - 1);
  setHidden(false);
  vi.advanceTimersByTime(10 * HIDDEN_FOR);
  expect(calls).toEqual([]);
});

it('waits for an open dialog', () => {
  dialogs.show({ kind: 'add' });
  setHidden(true);
  vi.advanceTimersByTime(10 * HIDDEN_FOR);
  expect(calls).toEqual([]);
  dialogs.close();
  vi.advanceTimersByTime(HIDDEN_FOR);
  expect(calls).toEqual(['unload_window']);
});

it('does not interrupt an episode', () => {
  player.playing = true;
  setHidden(true);
  vi.advanceTimersByTime(10 * HIDDEN_FOR);
  expect(calls).toEqual([]);
  player.playing = false;
  vi.advanceTimersByTime(HIDDEN_FOR);
  expect(calls).toEqual(['unload_window']);
});

it('waits while a rule is applied, and keeps the text of a note that is not saved', () => {
  rules.applying = { rule: 1, done: 0, total: 2000 };
  notes.resume('article', 1, '', 'Not saved');
  setHidden(true);
  vi.advanceTimersByTime(10 * HIDDEN_FOR);
  rules.applying = null;
  vi.advanceTimersByTime(10 * HIDDEN_FOR);
  rules.applying = { rule: 1, done: 0, total: 2000 };
  notes.forget();
  vi.advanceTimersByTime(10 * HIDDEN_FOR);
  expect(calls).toEqual([]);
  rules.applying = null;
  vi.advanceTimersByTime(HIDDEN_FOR);
  expect(calls).toEqual(['unload_window']);
});

it('keeps what was done for ten minutes, to be undone', () => {
  undo.push({ step: 1, restore: () => {} });
  setHidden(true);
  vi.advanceTimersByTime(UNDO_FOR - 1);
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(HIDDEN_FOR);
  expect(calls).toEqual(['unload_window']);
});
