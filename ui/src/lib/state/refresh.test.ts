import { expect, it, vi } from 'vitest';
import type { RefreshProgress } from '../ipc';
import { refresh } from './refresh.svelte';

vi.mock('../ipc', async (original) => ({ ...(await original<object>()), call: vi.fn() }));

const report = (running: boolean, new_articles: number) =>
  refresh.onProgress({ running, new_articles, waiting_for: [] } as unknown as RefreshProgress);
const found = () => refresh.progress?.new_articles ?? null;

it('forgets the number of new articles when some of them were removed', () => {
  report(false, 1689);
  refresh.forget();
  expect([found(), refresh.running]).toEqual([null, false]);
  report(false, 3);
  expect(found()).toBe(3);
});

it('forgets it also while it is running, until the next refresh', () => {
  report(true, 1200);
  refresh.forget();
  expect([found(), refresh.running]).toEqual([0, true]);
  report(true, 1300);
  expect(found()).toBe(0);
  report(false, 1689);
  expect([found(), refresh.running]).toEqual([null, false]);
  report(true, 2);
  expect(found()).toBe(2);
});
