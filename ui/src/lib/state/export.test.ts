import { beforeEach, expect, it, vi } from 'vitest';
import type { Exported } from '../ipc';

const asked = vi.hoisted(() => ({ answers: [] as Promise<Exported | null>[] }));
vi.mock('../ipc', async (original) => ({ ...(await original()), call: () => asked.answers.shift() }));

const { exporting } = await import('./export.svelte');
const { toasts } = await import('./toasts.svelte');

const told = () => toasts.shown.map(({ text }) => text);
const progress = { file: 'gleaner.zip', done: 1, total: 9 };

beforeEach(() => {
  for (const { id } of toasts.shown) toasts.dismiss(id);
});

function begin(): { end: (done: Exported | null) => Promise<void> } {
  let resolve!: (done: Exported | null) => void;
  asked.answers.push(new Promise((answer) => (resolve = answer)));
  const exported = exporting.everything();
  return {
    end: (done) => {
      resolve(done);
      return exported;
    },
  };
}

it('says nothing where no file was chosen', async () => {
  await begin().end(null);
  expect(told()).toEqual([]);
});

it('says that an export ended without a file', async () => {
  const { end } = begin();
  exporting.heard(progress);
  exporting.heard(null);
  await end(null);
  expect(told()).toEqual(['Export stopped; nothing was written']);
});

it('does not take another export for one that was never begun', async () => {
  const first = begin();
  exporting.heard(progress);
  const second = begin();
  exporting.heard({ ...progress, done: 2 });
  await second.end(null);
  expect(told()).toEqual([]);
  exporting.heard(null);
  await first.end(null);
  expect(told()).toHaveLength(1);
});
