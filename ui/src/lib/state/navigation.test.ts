import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import { openWindow } from '../../../tests/window';
import { nodes } from '../../components/sidebar/nodes';
import type { ArticlePage, ArticleRow, CommandName, Tag } from '../ipc';
import { reading } from './article.svelte';
import { tagsOf } from './collection-changes';
import { collections } from './collections.svelte';
import { act, usable } from './actions';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { markAllRead } from './marks';
import { setOldestFirst } from '../../components/timeline/view-options';
import { go, goTo, goUnread, hide, openRow, seen } from './navigation';
import { layout } from './layout.svelte';
import { undo } from './undo.svelte';

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
const unread = (id: number) => library.unread.get(id) ?? 0;
const at = (index: number) => list.rows[index] as ArticleRow;
const ids = () => list.rows.map((row) => row.id);

let close: () => Promise<void>;

beforeEach(async () => {
  test.core = await TestCore.open();
  close = await openWindow(core());
});

afterEach(() => close());

describe('one-pane layout', () => {
  it('does not mark an article as read before it is visible', async () => {
    vi.stubGlobal('document', { activeElement: null });
    vi.stubGlobal('addEventListener', () => undefined);
    layout.width = 600;
    layout.visiblePane = 'list';
    const first = at(0);
    act('next');
    await settle();
    expect([reading.article?.id, reading.unseen, list.row(first.id)?.read]).toEqual([first.id, true, false]);
    // Space shows the article instead of skipping it.
    act('read_on');
    expect([layout.visiblePane, layout.articleVisible, reading.id]).toEqual(['article', true, first.id]);
    // The window does this when the article becomes visible.
    seen();
    await settle();
    expect([reading.unseen, list.row(first.id)?.read, reading.article?.read]).toEqual([false, true, true]);
    act('next');
    await settle();
    expect([reading.unseen, list.row(at(1).id)?.read]).toEqual([false, true]);
    layout.width = 1280;
  });
});

describe('counts', () => {
  it('are updated when a feed is marked as read, and on undo', async () => {
    const feed = at(0).feed_id;
    const [before, all, today] = [unread(feed), library.counts.smart.unread, library.counts.smart.today];
    void list.show({ kind: 'feed', id: feed });
    await settle();
    void markAllRead();
    await settle();
    expect(unread(feed)).toBe(0);
    expect(library.counts.smart.unread).toBe(all - before);
    expect(library.counts.smart.today).toBeLessThan(today);
    void undo.take();
    await settle();
    expect(unread(feed)).toBe(before);
  });

  it('are updated when an article is hidden', async () => {
    const all = library.counts.smart.unread;
    void hide(at(3));
    await settle();
    expect(library.counts.smart.unread).toBe(all - 1);
  });
});

describe('the list', () => {
  it('goes to its last article, however far it is, and back to the first', async () => {
    void list.show({ kind: 'all' });
    await settle();
    const newest = at(0).id;
    expect(list.more).toBe(true);
    void goTo('last');
    await settle();
    expect([list.selected, list.more, list.above]).toEqual([list.rows.at(-1)?.id, false, true]);
    const all = (await core().call('articles', { ...list.query({}), order: 'oldest', limit: 1 })) as ArticlePage;
    expect(list.selected).toBe(all.rows[0]?.id);
    void goTo('first');
    await settle();
    expect(list.selected).toBe(newest);
  });

  it('follows the keys that were pressed while it was loading', async () => {
    act('all');
    for (let i = 0; i < 3; i++) void go(1);
    await settle();
    expect(list.selected).toBe(at(2).id);
    // The list of the first key is not shown any more.
    for (const key of [() => act('unread'), () => goTo('last'), () => act('all'), () => go(1)]) void key();
    await settle();
    expect([list.source.kind, list.selected]).toEqual(['all', at(0).id]);
  });

  it('starts at its real end with the keys for the previous article, and continues above', async () => {
    void list.show({ kind: 'all' });
    await settle();
    const all = (await core().call('articles', { ...list.query({}), order: 'oldest', limit: 500 })) as ArticlePage;
    const [oldest] = all.rows;
    void go(-1);
    await settle();
    expect([list.selected, list.more, list.above]).toEqual([oldest?.id, false, true]);

    const first = at(0);
    list.selected = first.id;
    void go(-1);
    await settle();
    expect(list.selected).toBe(all.rows[all.rows.findIndex(({ id }) => id === first.id) + 1]?.id);
  });

  it('does not load a long list to its end for the previous unread article', async () => {
    void list.show({ kind: 'all' });
    await settle();
    const { rows } = list;
    expect(list.more).toBe(true);
    void goUnread(-1);
    await settle();
    expect(list.selected).toBe(rows.findLast(({ read }) => !read)?.id);
    expect(list.rows).toHaveLength(rows.length);

    list.selected = null;
    list.rows = rows.map((row) => ({ ...row, read: true }));
    core().calls = [];
    void goUnread(-1);
    await settle();
    expect(list.selected).toBeNull();
    expect(core().calls.filter(([name]) => name === 'articles')).toEqual([]);
  });

  it('keeps the selected article when the view changes', async () => {
    void list.show({ kind: 'all' });
    await settle();
    const [row, next] = [at(20), at(21)];
    void openRow(row);
    await settle();
    for (const change of [() => act('unread_only'), () => setOldestFirst(true), () => setOldestFirst(false)]) {
      change();
      await settle();
      expect(list.selected).toBe(row.id);
    }
    void go(1);
    await settle();
    expect(list.selected).toBe(next.id);
    act('unread_only');
    await settle();
  });

  it('of a folder continues with the next unread feed below it', async () => {
    const index = library.tree.findIndex((row) => row.kind === 'folder' && row.unread > 0);
    const folder = library.tree[index];
    if (folder?.kind !== 'folder') throw new Error('a folder');
    void list.show({ kind: 'folder', id: folder.folder.id });
    await settle();
    void markAllRead();
    await settle();
    const below = library.tree.slice(index + 1).find((row) => row.kind === 'feed' && row.unread > 0);
    void goUnread(1);
    await settle();
    expect(list.source).toEqual({ kind: 'feed', id: below?.kind === 'feed' ? below.feed.id : 0 });
  });
});

describe('hiding', () => {
  it('opens the next article, and is undone before that one becomes unread again', async () => {
    const [first, hidden, next] = [at(1), at(2), at(3)];
    void openRow(first);
    await settle();
    void openRow(hidden);
    await settle();
    const before = ids();
    act('hide');
    await settle();
    expect(ids()).toEqual(before.filter((id) => id !== hidden.id));
    expect(reading.article?.id).toBe(next.id);
    act('undo');
    await settle();
    expect(ids()).toEqual(before);
    await core().until(() => collections.hidden === 0);
    expect(list.row(next.id)?.read).toBe(true);
    act('undo');
    await settle();
    expect(list.row(next.id)?.read).toBe(false);
  });

  it('does not navigate if it is refused', async () => {
    void openRow(at(1));
    await settle();
    const before = ids();
    core().refused = { command: 'mark', code: 'busy' };
    act('hide');
    await settle();
    expect(ids()).toEqual(before);
    expect(reading.id).toBe(before[1]);
  });

  it('is undone in the list of hidden articles', async () => {
    const { id } = at(1);
    void hide(at(1));
    await settle();
    void list.show({ kind: 'hidden' });
    await settle();
    expect(ids()).toContain(id);
    void undo.take();
    await settle();
    expect(ids()).not.toContain(id);
  });

  it('is undone in search results and in the list behind them', async () => {
    const before = ids();
    const [a, b, c] = [at(4), at(2), at(3)];
    list.beginSearch();
    list.showFound({ rows: [a, b, c], more: false });
    void hide(b);
    await settle();
    expect(ids()).toEqual([a.id, c.id]);
    void undo.take();
    await settle();
    expect(ids()).toEqual([a.id, b.id, c.id]);
    list.endSearch();
    await settle();
    expect(ids()).toEqual(before);
  });
});

describe('the tags of an article', () => {
  it('are read without counting it as opened', async () => {
    const [tag] = collections.tags as [Tag];
    void list.show({ kind: 'tag', id: tag.id });
    await settle();
    const { id } = at(0);
    core().calls = [];
    expect(await tagsOf(id)).toEqual([tag.name]);
    // Which counts.
    expect(core().calls.map(([command]) => command)).not.toContain('open_article');
  });
});

describe('keys', () => {
  it('apply to the requested article, not to the previous one', async () => {
    const [former, next] = [at(1), at(2)];
    void openRow(former);
    await settle();
    void openRow(next);
    expect(reading.article?.id).toBe(former.id);
    expect(usable('copy_link')).toBe(false);
    const starred = next.starred;
    act('toggle_star');
    await settle();
    expect(list.row(next.id)?.starred).toBe(!starred);
    expect(list.row(former.id)?.starred).toBe(former.starred);
  });
});

describe('the sidebar', () => {
  it('redraws only what a mark changes', async () => {
    const feeds = () => new Map(nodes().flatMap((node) => (node.kind === 'row' ? [[node.key, node]] : [])));
    const before = feeds();
    const { feed_id } = at(1);
    void openRow(at(1));
    await settle();
    const after = feeds();
    const changed = [...after].filter(([key, node]) => before.get(key) !== node).map(([key]) => key);
    expect(changed).toContain(`feed-${feed_id}`);
    expect(changed.length).toBeLessThan(5);
  });
});
