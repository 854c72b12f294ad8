import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CommandName } from '../ipc';

const core = vi.hoisted(() => ({
  calls: [] as [CommandName, unknown][],
  hangs: false,
  fails: false,
  answers: [] as (() => void)[],
}));
vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => {
    core.calls.push([name, args]);
    const answer = name === 'add_note' ? { note: { id: 1 }, undo: 1 } : [];
    if (core.hangs && name !== 'answer_close')
      return new Promise((resolve) => core.answers.push(() => resolve(answer)));
    if (core.fails && name !== 'answer_close') return Promise.reject({ code: 'internal', params: {} });
    return Promise.resolve(answer);
  },
}));

const { reading } = await import('./article.svelte');
const { list } = await import('./list.svelte');
const { notes } = await import('./notes.svelte');
const { answerClose, quit } = await import('./quit');
const { settings } = await import('./settings.svelte');
const { saveWindowState } = await import('./window-state.svelte');

const called = () => core.calls.map(([name]) => name);

/** Changes what is stored only after a pause. */
function change(): void {
  const draft = notes.begin('article', 1, '');
  draft.text = 'The quiet kind of work';
  draft.typed();
  settings.change({ text_scale: 1.25 });
  list.status = 'ready';
  // Settings that are already stored are not stored again.
  reading.id = (reading.id ?? 0) + 1;
  saveWindowState();
}

beforeEach(() => {
  vi.useFakeTimers();
  core.calls = [];
});

afterEach(async () => {
  core.hangs = core.fails = false;
  // What waits for an answer holds up what the next test stores.
  for (const answer of core.answers.splice(0)) answer();
  await vi.advanceTimersByTimeAsync(10_000);
  notes.forget();
  vi.useRealTimers();
});

it('stores the last change before it quits', async () => {
  change();
  quit();
  await vi.advanceTimersByTimeAsync(0);
  expect(called().at(-1)).toBe('answer_close');
  expect(called()).toEqual(expect.arrayContaining(['add_note', 'save_settings', 'save_window_state']));
  expect(core.calls.find(([name]) => name === 'add_note')?.[1]).toMatchObject({ text: 'The quiet kind of work' });
  // Once only.
  core.calls = [];
  await vi.advanceTimersByTimeAsync(10_000);
  expect(called()).toEqual([]);
});

it('quits even if the library does not respond', async () => {
  core.hangs = true;
  change();
  quit();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(called().at(-1)).toBe('answer_close');
});

it('quits although nothing can be stored', async () => {
  core.fails = true;
  reading.place = () => {
    throw new Error('the frame is gone');
  };
  change();
  quit();
  await vi.advanceTimersByTimeAsync(0);
  reading.place = null;
  expect(called().at(-1)).toBe('answer_close');
  expect(called()).toEqual(expect.arrayContaining(['add_note', 'save_settings']));
});

it('stores the last change after those before it, and waits for them', async () => {
  const stored = () => core.calls.filter(([name]) => name === 'save_settings').map(([, value]) => value);
  core.hangs = true;
  settings.change({ text_scale: 1.25 });
  await vi.advanceTimersByTimeAsync(1000);
  settings.change({ text_scale: 1.5 });
  quit();
  await vi.advanceTimersByTimeAsync(0);
  expect(stored()).toMatchObject([{ text_scale: 1.25 }]);
  core.answers.shift()?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(stored()).toMatchObject([{ text_scale: 1.25 }, { text_scale: 1.5 }]);
  expect(called()).not.toContain('answer_close');
  core.answers.forEach((answer) => answer());
  await vi.advanceTimersByTimeAsync(0);
  expect(called().at(-1)).toBe('answer_close');
});

it('waits for the note whose editor was just closed', async () => {
  core.hangs = true;
  const draft = notes.begin('article', 1, '');
  draft.text = 'The quiet kind of work';
  void notes.end('article', draft);
  quit();
  await vi.advanceTimersByTimeAsync(1000);
  expect(called()).toContain('add_note');
  expect(called()).not.toContain('answer_close');
});

it('stores nothing at once when the window stays or is hidden', async () => {
  change();
  for (const answer of ['cancel', 'background'] as const) await answerClose(answer);
  expect(called()).toEqual(['answer_close', 'answer_close']);
});
