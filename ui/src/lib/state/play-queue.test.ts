// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import type { QueuedEpisode } from '../ipc';

const queue = vi.hoisted(() => ({ all: [] as Partial<QueuedEpisode>[], added: 1 }));
vi.mock('../ipc', async (original) => ({
  ...(await original()),
  call: (command: string) => Promise.resolve(command === 'add_to_play_queue' ? queue.added : queue.all),
}));

const { playQueue } = await import('./play-queue.svelte');
const { toasts } = await import('./toasts.svelte');

async function message(ids: readonly number[], next: boolean): Promise<string | undefined> {
  await playQueue.add(ids, next);
  return toasts.shown[0]?.text;
}

it('names the episode that is added, and its position', async () => {
  queue.all = [{ title: 'Alpha' }, { title: '' }, { title: 'Gamma' }];
  expect(await message([1], true)).toBe('“Alpha” will play next');
  expect(await message([3], false)).toBe('“Gamma” added to the queue, position 3');
  queue.all = queue.all.slice(0, 2);
  expect(await message([2], false)).toBe('“Untitled” added to the queue, position 2');
});

it('counts several episodes', async () => {
  queue.added = 2;
  expect(await message([1, 2], true)).toBe('2 episodes will play next');
  queue.added = 0;
  expect(await message([1, 2], false)).toBe('No audio or video to play');
});
