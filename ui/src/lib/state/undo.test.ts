import { beforeEach, expect, it, vi } from 'vitest';

let answer: () => Promise<unknown>;
vi.mock('../ipc', async (original) => ({ ...(await original()), call: () => answer() }));

const { undo } = await import('./undo.svelte');
const { toasts } = await import('./toasts.svelte');

/** What was done and undone, in order. */
let log: string[];
beforeEach(() => {
  log = [];
  answer = () => Promise.resolve({ lost_feeds: [] });
  undo.forget();
});

/** An action that the core answers after a while, later ones later. */
async function act(name: string): Promise<void> {
  for (let wait = 0; wait < name.charCodeAt(0); wait++) await Promise.resolve();
  log.push(name);
  undo.push({ step: 1, restore: () => log.push(`not ${name}`), did: name, again: () => act(name) });
}

it('undoes and redoes each step, however fast the keys are pressed', async () => {
  for (const name of ['a', 'b', 'c']) await act(name);
  await Promise.all([undo.take(), undo.take(), undo.take()]);
  expect([undo.canUndo, undo.canRedo]).toEqual([false, true]);
  await Promise.all([undo.redo(), undo.redo()]);
  expect([undo.canUndo, undo.canRedo]).toEqual([true, true]);
  await undo.redo();
  expect([undo.canUndo, undo.canRedo]).toEqual([true, false]);
  expect(log.join(', ')).toBe('a, b, c, not c, not b, not a, a, b, c');
});

it('waits for an action that is not answered yet', async () => {
  await act('a');
  const marked = undo.during(act('b'));
  await undo.take();
  await marked;
  expect(log).toEqual(['a', 'b', 'not b']);
});

it('keeps a step that a later one prevents below that one', async () => {
  await act('a');
  const rule = { step: 2, restore: () => log.push('not rule'), did: 'rule' };
  undo.push(rule);
  await act('folder');
  answer = () => Promise.reject({ code: 'rule_folder_deleted', params: {} });
  await undo.take(rule);
  answer = () => Promise.resolve({ lost_feeds: [] });
  await undo.take();
  await undo.take();
  expect(log).toEqual(['a', 'folder', 'not folder', 'not rule']);
});

it('undoes an older step if a newer one cannot be undone', async () => {
  await act('a');
  await act('feed');
  answer = () => Promise.reject({ code: 'already_subscribed', params: {} });
  await undo.take();
  answer = () => Promise.resolve({ lost_feeds: [] });
  await undo.take();
  expect(log).toEqual(['a', 'feed', 'not a']);
});

it('no longer offers to redo a step after a new one', async () => {
  await act('a');
  await undo.take();
  expect(toasts.shown.at(-1)?.action?.redoes).toBe(true);
  const text = toasts.shown.at(-1)?.text;
  await act('b');
  expect(toasts.shown.map((toast) => [toast.text, toast.action])).toEqual([[text, undefined]]);
});
