import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import { openWindow } from '../../../tests/window';
import type { ArticlePage, ArticleRow, CommandName, Overview, WindowState } from '../ipc';
import { reading } from './article.svelte';
import { layout } from './layout.svelte';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { mark, markAllRead, markSourceRead } from './marks';
import { goTo, goUnread, leaveSearch, openRow, openSearch, showSource } from './navigation';
import { restoreWindow } from './restore-window';
import { toasts } from './toasts.svelte';
import { undo } from './undo.svelte';
import { windowState } from './window-state.svelte';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
  on: (name: never, handler: never) => {
    const stop = test.core?.on(name, handler);
    return () => void stop?.then((end) => end());
  },
}));

const core = () => test.core as TestCore;
const settle = () => core().settle();
const at = (index: number) => list.rows[index] as ArticleRow;

/** Withholds the next response to a command. Returns a function that delivers it. */
function hold(command: CommandName): () => void {
  let deliver = () => {};
  const delivered = new Promise<void>((resolve) => (deliver = resolve));
  const call = core().call.bind(core());
  core().call = async (name, args) => {
    const answer = call(name, args);
    if (name !== command) return answer;
    core().call = call;
    await answer;
    await delivered;
    return answer;
  };
  return deliver;
}

/** Rejects the next call of a command, once the returned function is called. */
function refuseLater(command: CommandName): () => void {
  let refuse = () => {};
  const refused = new Promise<void>((resolve) => (refuse = resolve));
  const call = core().call.bind(core());
  core().call = async (name, args) => {
    if (name !== command) return call(name, args);
    core().call = call;
    await refused;
    throw { code: 'busy', params: {} };
  };
  return refuse;
}

/** Expects the marks of all rows to be those of the core. */
async function expectMarksOfCore(): Promise<void> {
  const shown = list.rows.map(({ id, read, starred }) => ({ id, read, starred }));
  const stored = (await core().call('articles', { ...list.query({}), unread_only: false, limit: 500 })) as ArticlePage;
  expect(stored.rows.length).toBeGreaterThanOrEqual(shown.length);
  expect(stored.rows.slice(0, shown.length)).toMatchObject(shown);
}

let close: () => Promise<void>;

beforeEach(async () => {
  test.core = await TestCore.open();
  close = await openWindow(core());
});

afterEach(() => close());

describe('a move that is still loading when another list is shown opens nothing there', () => {
  const opened = () => [list.status, reading.id, list.selected];

  it('to the next unread article on the next page', async () => {
    list.selected = at(list.rows.length - 1).id;
    const deliver = hold('articles');
    void goUnread(1);
    await settle();
    void showSource({ kind: 'feed', id: library.feeds[3]!.id });
    await settle();
    deliver();
    await settle();
    expect(opened()).toEqual(['ready', null, null]);
  });

  it('to the next unread article in the next feed', async () => {
    void showSource({ kind: 'feed', id: library.feeds[0]!.id });
    await settle();
    list.rows = list.rows.map((row) => ({ ...row, read: true }));
    list.more = false;
    const deliver = hold('articles');
    void goUnread(1);
    await settle();
    void showSource({ kind: 'all' });
    await settle();
    deliver();
    await settle();
    expect([list.source, ...opened()]).toEqual([{ kind: 'all' }, 'ready', null, null]);
  });

  it('to the last article', async () => {
    void showSource({ kind: 'all' });
    await settle();
    const deliver = hold('articles');
    void goTo('last');
    await settle();
    void showSource({ kind: 'unread' });
    await settle();
    deliver();
    await settle();
    expect([list.source, ...opened()]).toEqual([{ kind: 'unread' }, 'ready', null, null]);
  });
});

it('a list that is chosen while the last one is restored stays', async () => {
  const state: WindowState = {
    ...windowState(),
    source: { kind: 'all' },
    search: 'wheat',
    article: at(0).id,
    article_in_front: true,
  };
  const overview = (await core().call('overview')) as Overview;
  const deliver = hold('articles');
  void restoreWindow(state, overview);
  await settle();
  const chosen = { kind: 'feed', id: library.feeds[3]!.id } as const;
  void showSource(chosen);
  await settle();
  deliver();
  await settle();
  expect([list.source, list.searching, reading.id, layout.visiblePane]).toEqual([chosen, false, null, 'list']);
});

it('a page that ends loading in another list does not end the loading of that one', async () => {
  const deliver = hold('articles');
  void list.loadMore();
  await settle();
  void showSource({ kind: 'all' });
  await settle();
  const deliverNext = hold('articles');
  void list.loadMore();
  deliver();
  await settle();
  expect(list.loadingMore).toBe(true);
  core().calls = [];
  void list.loadMore();
  expect(core().calls).toEqual([]);
  deliverNext();
  await settle();
  expect([list.loadingMore, list.rows.length]).toEqual([false, 400]);
});

describe('the rows follow the core', () => {
  it('if all articles are marked as read while a page is loading', async () => {
    const deliver = hold('articles');
    void list.loadMore();
    await settle();
    void markAllRead();
    await settle();
    deliver();
    await settle();
    expect(list.rows.filter(({ read }) => !read)).toEqual([]);
    expect([list.rows.length, list.more]).toEqual([200, false]);
  });

  it('if a feed in it is marked as read, and when that is undone', async () => {
    const { feed_id: id } = at(0);
    const ofFeed = () => list.rows.filter(({ feed_id }) => feed_id === id).map(({ read }) => read);
    const count = ofFeed().length;
    expect(count).toBeGreaterThan(1);
    void markSourceRead({ kind: 'feed', id });
    await settle();
    expect(ofFeed()).toEqual(Array(count).fill(true));
    expect(list.rows.filter(({ read }) => read)).toHaveLength(count);
    void undo.take();
    await settle();
    expect(list.rows.filter(({ read }) => read)).toEqual([]);
  });

  it('if articles are marked as read elsewhere', async () => {
    const ids = [at(3).id, at(7).id];
    await core().call('mark', { ids, read: true, starred: null, hidden: null, kept: null });
    void list.catchUp();
    await settle();
    expect(list.rows.filter(({ read }) => read).map(({ id }) => id)).toEqual(ids);
  });

  it('if marking all as read is undone after further pages were loaded', async () => {
    void showSource({ kind: 'all' });
    await settle();
    void markAllRead();
    await settle();
    void list.loadMore();
    await settle();
    void undo.take();
    await settle();
    expect(list.rows).toHaveLength(400);
    await expectMarksOfCore();
  });

  it('if marking all as read is undone in another list, or behind a search', async () => {
    vi.stubGlobal('document', { activeElement: null });
    vi.stubGlobal('addEventListener', () => undefined);
    void markAllRead();
    await settle();
    void showSource({ kind: 'all' });
    await settle();
    void list.loadMore();
    await settle();
    void undo.take();
    await settle();
    await expectMarksOfCore();

    void markAllRead();
    await settle();
    openSearch();
    void undo.take();
    await settle();
    leaveSearch();
    await settle();
    expect(list.rows).toHaveLength(400);
    await expectMarksOfCore();
  });
});

describe('a mark that is taken back', () => {
  it('leaves the other mark of an article that was opened since', async () => {
    const [row, other] = [at(4), at(5)];
    await mark([row, other], { starred: true });
    toasts.show('Starred', { action: undo.button(undo['stack'].top!) });
    void openRow(row);
    await settle();
    void undo.take();
    await settle();
    expect(list.row(row.id)).toMatchObject({ read: true, starred: false });
    expect(reading.article).toMatchObject({ read: true, starred: false });
  });

  it('leaves the other mark if it was refused', async () => {
    const { id } = at(4);
    const refuse = refuseLater('mark');
    void mark([at(4)], { read: true });
    void mark([at(4)], { starred: true });
    await settle();
    refuse();
    await settle();
    expect(list.row(id)).toMatchObject({ read: false, starred: true });
  });
});
