import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import { clickRow, pressList } from '../../components/timeline/row-click';
import type { ArticleRow, CommandName, Source } from '../ipc';
import { placeOf } from '../list/merge';
import { act, usable } from './actions';
import { reading } from './article.svelte';
import { listenToCore } from './events';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { toggleRead } from './marks';
import { goToFeed, openArticle, openRow, openRowInBrowser, showSource } from './navigation';
import { toasts } from './toasts.svelte';
import { undo } from './undo.svelte';
import { views } from './views.svelte';
import { visited } from './visited.svelte';

const test = vi.hoisted(() => ({ core: null as TestCore | null, opened: [] as unknown[] }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => {
    // There is no browser.
    if (name === 'open_in_background') return Promise.resolve(test.opened.push(args));
    return test.core?.call(name, args);
  },
  on: (name: never, handler: never) => {
    const stop = test.core?.on(name, handler);
    return () => void stop?.then((end) => end());
  },
}));

const core = () => test.core as TestCore;
const at = (index: number) => list.rows[index] as ArticleRow;
const feedShown = () => !list.searching && list.source.kind === 'feed' && list.source.id;

const settle = () => core().settle();

/** Shows the list of a row's feed from another list. */
async function goToFeedFrom(from: Source, row: ArticleRow): Promise<void> {
  void showSource(from);
  await settle();
  void goToFeed(row);
  await settle();
}

let stop: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  vi.stubGlobal('document', { activeElement: null });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  test.core = await TestCore.open();
  test.opened = [];
  list.pendingMarks.forget();
  undo.forget();
  reading.close();
  visited.forget();
  stop = listenToCore();
  await core().call('ready');
  void library.load();
  void list.show({ kind: 'unread' });
  await settle();
});

afterEach(async () => {
  stop();
  await core().close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the list of an article’s feed', () => {
  it('is shown with the open article, which was read', async () => {
    const row = at(3);
    void openRow(row);
    await settle();
    expect(usable('go_to_feed')).toBe(true);
    act('go_to_feed');
    await settle();
    expect([feedShown(), reading.article?.id, list.selected]).toEqual([row.feed_id, row.id, row.id]);
    expect(usable('go_to_feed')).toBe(false);
    act('back');
    await settle();
    expect([list.source.kind, list.selected]).toEqual(['unread', row.id]);
  });

  it('does not open an article for that', async () => {
    const row = at(3);
    list.selected = row.id;
    act('go_to_feed');
    await settle();
    expect([feedShown(), reading.id, list.selected, list.cursor]).toEqual([row.feed_id, null, null, row.id]);
    expect(list.row(row.id)?.read).toBe(false);
  });

  it('is shown for an article that is opened from outside', async () => {
    const other = at(5);
    const another = library.feeds.find(({ id }) => id !== other.feed_id)!;
    void showSource({ kind: 'feed', id: another.id });
    await settle();
    void openArticle(other.id);
    await settle();
    expect([feedShown(), list.selected, reading.article?.read]).toEqual([other.feed_id, other.id, true]);
    const below = list.rows[list.indexOf(other.id) + 1];
    act('next');
    await settle();
    expect([below !== undefined, reading.id]).toEqual([true, below?.id]);
  });

  it('begins at the article although the list before was sorted by when it was played', async () => {
    void list.show({ kind: 'all' });
    await settle();
    const rows = list.rows.filter(({ feed_id }) => feed_id === at(0).feed_id);
    const row = rows[2] as ArticleRow;
    await goToFeedFrom({ kind: 'downloads' }, { ...row, sort_at: Date.now() });
    expect(list.rows.slice(0, 2).map(({ id }) => id)).toEqual([row.id, rows[3]?.id]);
    expect(list.cursor).toBe(row.id);
  });

  it('keeps the place where the user left off, and has all articles', async () => {
    void list.show({ kind: 'all' });
    await settle();
    const source = { kind: 'feed', id: at(0).feed_id } as const;
    void showSource(source);
    await settle();
    const whole = list.rows.map(({ id }) => id);
    const place = placeOf(at(3));
    list.onScrolled({ id: place.id, offset: 0 });
    void views.change(source, { river: true, place });
    await settle();
    for (const index of [1, 4]) {
      const { id } = at(index);
      await goToFeedFrom({ kind: 'unread' }, at(index));
      expect([list.rows.map((row) => row.id), list.cursor]).toEqual([whole.slice(index), id]);
      list.onScrolled({ id, offset: 0 });
      await settle();
      await list.loadAbove();
      expect([list.rows.map((row) => row.id), views.of(source).place?.id]).toEqual([whole, place.id]);
    }
    // The user continues reading from here.
    act('next');
    await settle();
    list.onScrolled({ id: at(5).id, offset: 0 });
    await settle();
    expect(views.of(source).place?.id).toBe(whole[5]);
  });
});

describe('a click on a row', () => {
  const click = (row: ArticleRow, button: number, on = '') =>
    clickRow(
      { button, target: { closest: (name: string) => (name === on ? {} : null) } } as never,
      row,
      list.indexOf(row.id),
    );

  it('with the middle button opens its page in the background and marks it as read', async () => {
    const row = list.rows.find((row) => row.has_link)!;
    click(row, 1);
    await settle();
    expect([test.opened, list.row(row.id)?.read, reading.id]).toEqual([[{ id: row.id }], true, null]);
    act('undo');
    await settle();
    expect(list.row(row.id)?.read).toBe(false);
  });

  it('with the middle button pastes nothing', () => {
    const prevented = [0, 1, 2].map((button) => {
      const preventDefault = vi.fn();
      pressList({ button, preventDefault });
      return preventDefault.mock.calls.length;
    });
    expect(prevented).toEqual([0, 1, 0]);
  });

  it('on the dot marks it as read, and again as unread', async () => {
    const row = at(0);
    click(row, 0, '.state');
    await settle();
    expect([list.row(row.id)?.read, reading.id]).toEqual([true, null]);
    click(list.row(row.id)!, 0, '.state');
    await settle();
    expect(list.row(row.id)?.read).toBe(false);
  });

  it('is not needed for an open article whose page is opened', async () => {
    const row = list.rows.find((row) => row.has_link)!;
    void openRow(row);
    await settle();
    void toggleRead(list.row(row.id)!);
    await settle();
    expect(list.row(row.id)?.read).toBe(false);
    act('browser_behind');
    await settle();
    expect([test.opened, list.row(row.id)?.read]).toEqual([[{ id: row.id }], true]);
  });

  it('leaves a row unread whose page cannot be opened', async () => {
    const row = at(0);
    core().refused = { command: 'open_in_browser', code: 'not_found' };
    await openRowInBrowser(row);
    expect([list.row(row.id)?.read, toasts.shown.at(-1)?.text]).toEqual([false, 'This article has no link']);
  });
});
