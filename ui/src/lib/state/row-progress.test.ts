// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import type { ArticleRow, CommandName } from '../ipc';
import { list } from './list.svelte';
import { markPlayed } from './listening';
import { player } from './player.svelte';
import { isStarted, progressOf } from './row-progress';
import { undo } from './undo.svelte';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
}));

const core = () => test.core as TestCore;
/** The first row, as an episode. */
const episode = (): ArticleRow => ({ ...(list.rows[0] as ArticleRow), media: 'audio' });
const item = (id: number, url = 'https://feed0.example/1.mp3') => ({
  id,
  feed_id: 1,
  feed: '',
  title: '',
  url,
  video: false,
  has_chapters: false,
  artwork: null,
});
const started = (seconds: number, duration: number | null) => ({ seconds, duration, finished: false });

beforeEach(async () => {
  test.core = await TestCore.open();
  await list.show({ kind: 'all' });
});

afterEach(async () => {
  player.forget();
  undo.forget();
  await core().close();
});

it('follows what is in the player by whole seconds, without loading the list', async () => {
  const row = episode();
  expect(progressOf(row)).toBeNull();
  player.start(item(row.id), null, 600);
  expect([progressOf(row), isStarted(row)]).toEqual([null, false]);
  core().calls = [];
  player.playing = true;
  player.seconds = 61.7;
  expect(progressOf(row)).toEqual(started(61, 600));
  player.length = 0;
  expect(progressOf(row)).toEqual(started(61, null));
  expect([core().calls, progressOf({ ...row, id: row.id + 1 })]).toEqual([[], null]);
  // A recording in the text of an article is no episode.
  expect(progressOf({ ...row, media: null })).toBeNull();
  player.length = 600;
  player.close();
  // Before the response.
  expect(progressOf(row)).toMatchObject({ seconds: 61.7, duration: 600 });
  await core().settle();
  expect([progressOf(row), isStarted(row)]).toEqual([started(61, 600), true]);
  // It is stored for the next list as well.
  await list.show({ kind: 'listening' });
  expect(list.rows[0]?.played).toEqual(started(61, 600));
});

it('an episode that ended in the player is played, until it is started again', () => {
  const row = { ...episode(), played: { seconds: 600, duration: 600, finished: true } };
  player.start(item(row.id), null, 600);
  player.seconds = 600;
  expect([progressOf(row)?.finished, isStarted(row)]).toEqual([true, false]);
  player.playing = true;
  player.seconds = 2;
  expect(progressOf(row)).toEqual(started(2, 600));
});

it('shows the started one of several files even if another was finished later', async () => {
  const row = episode();
  player.start(item(row.id), null, 600);
  player.seek(60);
  await core().settle();
  player.start(item(row.id, 'https://feed0.example/bonus.mp3'), null, 30);
  player.seconds = 30;
  await player.savePosition(true);
  await core().settle();
  player.now = null;
  expect(progressOf(row)).toEqual(started(60, 600));
});

it('shows what is marked as played, and the position again when that is undone', async () => {
  const row = episode();
  player.start(item(row.id), null, 600);
  player.seek(60);
  await core().settle();
  await markPlayed(row);
  await core().settle();
  expect([player.now, progressOf(row)]).toEqual([null, { ...started(60, 600), finished: true }]);
  // After undo, a list that was loaded in the meantime does not bring back the finished state.
  const reloaded = { ...row, played: { ...started(60, 600), finished: true } };
  await undo.take();
  await core().settle();
  expect(progressOf(reloaded)).toEqual(started(60, 600));
});

it('forgets what was played in a library that is replaced', async () => {
  const row = episode();
  player.start(item(row.id), null, 600);
  player.seek(60);
  // The response comes later.
  player.forget();
  await core().settle();
  expect(progressOf(row)).toBeNull();
});
