// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import type { Article, CommandName } from '../ipc';
import { reading } from './article.svelte';
import { changes } from './changes.svelte';
import { layout } from './layout.svelte';
import { list } from './list.svelte';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
}));

afterEach(async () => {
  vi.useRealTimers();
  reading.place = null;
  reading.forget();
  await test.core?.close();
});

it('saves small progress in a long article', async () => {
  test.core = await TestCore.open();
  await list.show({ kind: 'all' });
  const [one, other] = list.rows.map(({ id }) => id) as [number, number];
  let position = 0;
  reading.place = () => ({ id: reading.article?.id ?? 0, position });
  await reading.open(one);
  for (position of [0.3, 0.301]) {
    reading.savePosition();
    await reading.open(other);
    await reading.open(one);
    expect(reading.savedPosition).toBe(position);
  }
});

it('is replaced by the list when it is closed, for example because its feed was deleted', async () => {
  test.core = await TestCore.open();
  await list.show({ kind: 'all' });
  await reading.open(list.rows[0]?.id ?? 0);
  layout.visiblePane = 'article';
  reading.close();
  expect([reading.id, layout.visiblePane]).toEqual([null, 'list']);
});

it('offers the new version of the open article after a refresh, and keeps the displayed one', async () => {
  test.core = await TestCore.open();
  await list.show({ kind: 'all' });
  const [one, other] = list.rows.map(({ id }) => id) as [number, number];
  await reading.open(one);
  const before = reading.article as Article;
  await reading.lookForUpdate();
  expect(reading.updated).toBeNull();

  const { call } = test.core;
  const change = { html: '<p>Corrected.</p>', versions: [1] };
  test.core.call = async (name, args) => {
    const result = await call.call(test.core, name, args);
    return name === 'show_text' ? { ...(result as Article), ...change } : result;
  };
  await reading.lookForUpdate();
  expect([reading.article, reading.updated?.html]).toEqual([before, change.html]);
  expect(reading.hasNotice).toBe(true);
  const marks = { starred: true, kept: true, tags: ['Later'] };
  reading.patch(one, marks);
  reading.showUpdate();
  expect([reading.article, reading.updated]).toEqual([{ ...before, ...change, ...marks }, null]);
  await reading.lookForUpdate();
  expect(reading.updated).toBeNull();

  // Another article was opened meanwhile.
  change.html = '<p>Corrected again.</p>';
  const looking = reading.lookForUpdate();
  await reading.open(other);
  await looking;
  expect(reading.updated).toBeNull();
});

it('keeps the newest of two looks for an update, however late the other one ends', async () => {
  test.core = await TestCore.open();
  await list.show({ kind: 'all' });
  await reading.open(list.rows[0]?.id ?? 0);
  const before = reading.article as Article;
  const waiting: ((found: Article) => void)[] = [];
  test.core.call = () => new Promise((resolve) => waiting.push(resolve));
  const looks = [reading.lookForUpdate(), reading.lookForUpdate()];
  waiting[1]?.({ ...before, html: '<p>Corrected.</p>' });
  waiting[0]?.(before);
  await Promise.all(looks);
  expect(reading.updated?.html).toBe('<p>Corrected.</p>');
});

it('fetches a full text again if its download was cancelled for the next article', async () => {
  vi.useFakeTimers();
  const core = (test.core = await TestCore.open());
  await list.show({ kind: 'all' });
  const [one, other] = list.rows.map(({ id }) => id) as [number, number];
  const call = core.call.bind(core);
  core.call = async (name, args) => {
    const result = await call(name, args);
    return name === 'open_article' ? { ...(result as Article), fetch_full_text: true } : result;
  };
  /** Opens an article for a while, and returns whether its full text was requested. */
  const fetches = async (id: number) => {
    core.calls = [];
    void reading.open(id);
    await core.settle();
    return core.calls.some(([name]) => name === 'fetch_full_text');
  };
  core.refused = { command: 'fetch_full_text', code: 'cancelled' };
  expect(await fetches(one)).toBe(true);
  core.refused.code = 'offline';
  expect([await fetches(other), await fetches(one)]).toEqual([true, true]);
  expect([await fetches(other), await fetches(one)]).toEqual([false, false]);
});

it('keeps the text that was switched to while the end of downloads reloads the article', async () => {
  test.core = await TestCore.open();
  await list.show({ kind: 'all' });
  await reading.open(list.rows[0]?.id ?? 0);
  const feedText = (reading.article = { ...(reading.article as Article), has_full_text: true });
  const answers: ((found: Article) => void)[] = [];
  test.core.call = () => new Promise((resolve) => answers.push(resolve));
  const done = [reading.reloadContent(), reading.toggleFullText()];
  answers[1]?.({ ...feedText, html: '<p>Full text</p>', shows_full_text: true });
  await done[1];
  answers[0]?.({ ...feedText, offline_images: ['image'] as never });
  await done[0];
  expect(reading.article.html).toBe('<p>Full text</p>');
});

it('compares an update with the text before it, also while older versions are compared', async () => {
  test.core = await TestCore.open();
  await list.show({ kind: 'all' });
  await reading.open(list.rows[0]?.id ?? 0);
  const before = { ...(reading.article as Article), versions: [1] };
  reading.article = before;
  const compared: unknown[] = [];
  test.core.call = (name, args) => {
    if (name === 'compare_versions') compared.push(args);
    return Promise.resolve({ ...before, html: '<p>Corrected.</p>', versions: [2, 1] });
  };
  changes.toggle();
  await reading.lookForUpdate();
  changes.showUpdate();
  const { id } = before;
  expect(compared).toEqual([
    { id, older: 1, newer: null },
    { id, older: 2, newer: null },
  ]);
  changes.hide();
});

it('reports an error only for the article that it belongs to', async () => {
  test.core = await TestCore.open();
  await list.show({ kind: 'all' });
  const [one, other] = list.rows.map(({ id }) => id) as [number, number];
  const call = test.core.call.bind(test.core);
  const failing: (() => void)[] = [];
  test.core.call = (name, args) =>
    name === 'show_text' || name === 'cancel_full_text'
      ? new Promise((_, reject) => failing.push(() => reject({ code: 'busy', params: {} })))
      : call(name, args);
  await reading.open(one);
  reading.article = { ...(reading.article as Article), has_full_text: true };
  const switching = reading.toggleFullText();
  reading.stopText();
  await reading.open(other);
  for (const fail of failing) fail();
  await switching;
  await test.core.settle();
  expect([failing.length, reading.textError]).toEqual([2, null]);
});

it('shows the full text that is fetched again right after a fetch was stopped', async () => {
  test.core = await TestCore.open();
  await list.show({ kind: 'all' });
  await reading.open(list.rows[0]?.id ?? 0);
  const { article } = reading;
  const fetches: { resolve: (found: Article) => void; reject: (error: unknown) => void }[] = [];
  test.core.call = (name) =>
    name === 'fetch_full_text'
      ? new Promise((resolve, reject) => fetches.push({ resolve, reject }))
      : Promise.resolve();
  const stopped = reading.fetchText();
  reading.stopText();
  const fetching = reading.fetchText();
  // The stopped fetch ends late.
  fetches[0]?.reject({ code: 'cancelled', params: {} });
  await stopped;
  expect([reading.textError, reading.fetchingText]).toEqual([null, true]);
  fetches[1]?.resolve({ ...(article as Article), html: '<p>Full text</p>' });
  await fetching;
  expect([reading.article?.html, reading.fetchingText]).toEqual(['<p>Full text</p>', false]);
});
