// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import type { MediaItem } from './player.svelte';
import type { QueuedEpisode } from '../ipc';

const queue = vi.hoisted(() => ({
  all: [] as Partial<QueuedEpisode>[],
  added: 1,
  ids: [] as number[][],
  /** Takes the place of the core. */
  answer: null as ((command: string, request?: unknown) => Promise<unknown>) | null,
}));
vi.mock('../ipc', async (original) => ({
  ...(await original()),
  call: (command: string, request?: { ids: number[] }) => {
    if (queue.answer) return queue.answer(command, request);
    if (command !== 'add_to_play_queue') return Promise.resolve(queue.all);
    queue.ids.push(request!.ids);
    return Promise.resolve(queue.added);
  },
}));

const { playQueue } = await import('./play-queue.svelte');
const { player } = await import('./player.svelte');
const { toasts } = await import('./toasts.svelte');
const { undo } = await import('./undo.svelte');

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

it('does not add what plays now', async () => {
  [queue.added, queue.ids] = [1, []];
  player.now = { id: 2 } as MediaItem;
  await playQueue.add([1, 2, 3], false);
  await playQueue.add([2], false);
  // Another file of the same article.
  await playQueue.add([2], false, 'http://example.com/other.mp3');
  expect(queue.ids).toEqual([[1, 3], [2]]);
});

it('keeps the order that is shown while an episode is moved again before the first move is stored', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((url, id) => ({ id, url })) as [QueuedEpisode, QueuedEpisode, QueuedEpisode];
  const requests: { command: string; answer: (value: unknown) => void }[] = [];
  queue.answer = (command) => new Promise((answer) => requests.push({ command, answer }));
  const turn = () => new Promise((done) => setTimeout(done));
  const answer = async (command: string, value?: unknown) => {
    const at = requests.findIndex((request) => request.command === command);
    requests.splice(at, 1)[0]?.answer(value);
    await turn();
  };
  playQueue.all = [a, b, c];
  const moves = [playQueue.move(a, 1), playQueue.move(a, 2)];
  expect(playQueue.all).toEqual([b, c, a]);
  await answer('move_in_play_queue');
  await answer('play_queue', [b, a, c]);
  expect(playQueue.all).toEqual([b, c, a]);
  await answer('move_in_play_queue');
  await answer('play_queue', [b, c, a]);
  await Promise.all(moves);
  expect(playQueue.all).toEqual([b, c, a]);

  // The later of two requests has the newer queue.
  const loads = [playQueue.load(), playQueue.load()];
  requests[1]?.answer([c]);
  await turn();
  requests[0]?.answer([b, c]);
  await Promise.all(loads);
  expect(playQueue.all).toEqual([c]);
  queue.answer = null;
});

it('undoes and redoes a move', async () => {
  const stored = ['a', 'b', 'c'].map((url, id) => ({ id, url, title: url }) as QueuedEpisode);
  const [a] = stored as [QueuedEpisode];
  queue.answer = (command, request) => {
    if (command !== 'move_in_play_queue') return Promise.resolve([...stored]);
    const { id, to } = request as { id: number; to: number };
    const from = stored.findIndex((one) => one.id === id);
    stored.splice(to, 0, ...stored.splice(from, 1));
    return Promise.resolve(null);
  };
  const urls = () => stored.map(({ url }) => url).join('');
  await playQueue.load();
  await playQueue.move(a, 1);
  await playQueue.move(a, 2);
  expect([urls(), toasts.shown[0]?.text]).toEqual(['bca', '“a” moved to position 3']);
  await undo.take();
  expect(urls()).toBe('bac');
  await undo.take();
  expect(urls()).toBe('abc');
  await vi.waitFor(() => expect(playQueue.all).toEqual(stored));
  await undo.redo();
  expect([urls(), playQueue.all]).toEqual(['bac', stored]);
  // Others have left the queue meanwhile.
  stored.splice(0, 3, a);
  await playQueue.load();
  await undo.take();
  expect(urls()).toBe('a');
  queue.answer = null;
});
