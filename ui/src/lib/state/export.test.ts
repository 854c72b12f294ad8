import { beforeEach, expect, it, vi } from 'vitest';
import type { ExportSummary } from '../ipc';

const calls = vi.hoisted(() => ({ answers: [] as Promise<ExportSummary | null>[] }));
vi.mock('../ipc', async (original) => ({ ...(await original()), call: () => calls.answers.shift() }));

const { exporting } = await import('./export.svelte');
const { toasts } = await import('./toasts.svelte');

const messages = () => toasts.shown.map(({ text }) => text);
const progress = { file: 'gleaner.zip', done: 1, total: 9 };

beforeEach(() => {
  for (const { id } of toasts.shown) toasts.dismiss(id);
});

function begin(): { end: (done: ExportSummary | null) => Promise<void> } {
  let resolve!: (done: ExportSummary | null) => void;
  calls.answers.push(new Promise((answer) => (resolve = answer)));
  const exported = exporting.everything();
  return {
    end: (done) => {
      resolve(done);
      return exported;
    },
  };
}

it('shows nothing if no file was chosen', async () => {
  await begin().end(null);
  expect(messages()).toEqual([]);
});

it('shows that an export was cancelled', async () => {
  const { end } = begin();
  exporting.onProgress(progress);
  exporting.onProgress(null);
  await end(null);
  expect(messages()).toEqual(['Export cancelled; nothing was written']);
});

it('does not confuse a running export with one that was not started', async () => {
  const first = begin();
  exporting.onProgress(progress);
  const second = begin();
  exporting.onProgress({ ...progress, done: 2 });
  await second.end(null);
  expect(messages()).toEqual([]);
  exporting.onProgress(null);
  await first.end(null);
  expect(messages()).toHaveLength(1);
});
