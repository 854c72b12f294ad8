import { afterEach, expect, it, vi } from 'vitest';
import { library } from './library.svelte';
import { noticeChanges } from './notice-changes';

const core = vi.hoisted(() => ({ calls: 0, answer: () => {} }));
vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: () => {
    core.calls++;
    return new Promise<void>((resolve) => (core.answer = resolve));
  },
}));

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('looks for changes again only when the core has responded', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  library.status = 'ready';
  const stop = noticeChanges();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(core.calls).toBe(1);
  core.answer();
  await vi.advanceTimersByTimeAsync(2000);
  expect(core.calls).toBe(2);
  stop();
});
