// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import { setRiver } from '../../components/timeline/view-options';
import type { Article, ArticleRow, Backup, CommandName } from '../ipc';
import { reading } from './article.svelte';
import { backfills } from './backfill.svelte';
import { backups } from './backups.svelte';
import { comments } from './comments.svelte';
import { dialogs } from './dialogs.svelte';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { player } from './player.svelte';
import { sidebar } from './sidebar.svelte';
import { toasts } from './toasts.svelte';
import { transcripts } from './transcript.svelte';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
  listening: () => Promise.resolve(),
}));

afterEach(async () => {
  dialogs.close();
  await test.core?.close();
});

it('restores a backup without saving or showing anything of the former library, whose ids are given again', async () => {
  const core = (test.core = await TestCore.open());
  await library.load();
  await list.show({ kind: 'all' });
  setRiver(true);
  await core.settle();
  const backup = (await core.call('create_backup')) as Backup;
  const row = list.rows[0] as ArticleRow;
  await reading.open(row.id);
  const article = (reading.article = { ...(reading.article as Article), has_comments_feed: true });
  const audio = { id: row.id, feed_id: row.feed_id, feed: '', title: '', url: 'https://feed0.example/1.mp3' };
  const played = () => player.place(article, audio.url);
  const play = (seconds: number) => {
    player.start({ ...audio, video: false, has_chapters: false, artwork: null }, null);
    player.seek(seconds);
  };
  play(60);
  const call = core.call.bind(core);
  const found: Record<string, unknown> = { comments: { list: [], more: false }, transcript: { passages: [] } };
  core.call = (name, args) => {
    // The player goes on while the library is replaced.
    if (name === 'restore_backup') player.seek(90);
    return name in found ? Promise.resolve(found[name]) : call(name, args);
  };
  comments.toggle();
  await transcripts.load(row.id);
  await core.settle();
  backfills.onProgress({ feed_id: row.feed_id, pages: 1, articles: 0, ended: null });
  expect([comments.list(article), transcripts.of(article), played()?.seconds]).toEqual([...Object.values(found), 60]);

  sidebar.toggle(`feed-${String(row.feed_id)}`, undefined);
  toasts.show('Account removed', { action: { label: 'Undo', run: () => {} } });
  // Neither is saved yet.
  reading.place = () => ({ id: reading.article?.id ?? 0, position: 0.5 });
  list.place = { id: list.rows[5]?.id ?? 0, offset: 0 };
  core.calls = [];
  await backups.restore(backup);
  await core.settle();
  expect(dialogs.open?.kind).toBe('restored');
  const saved = core.calls.filter(([name]) => /^save_(?!window_state)/.test(name));
  expect([saved, player.now, played()]).toEqual([[], null, null]);
  expect([[...sidebar.selected], toasts.shown]).toEqual([[], []]);
  expect([comments.list(article), transcripts.of(article), backfills.of(row.feed_id)]).toEqual([null, null, undefined]);
});
