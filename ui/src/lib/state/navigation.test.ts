// long: what the keys do in the lists of one library, which all tests share.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import { nodes } from '../../components/sidebar/nodes';
import { rename } from '../../components/sidebar/rename';
import en from '../messages/en.json';
import { setCatalogue } from '../messages/catalogue.svelte';
import type { Article, ArticlePage, ArticleRow, CommandName, Feed, Rule, SavedSearch, Tag } from '../ipc';
import { reading } from './article.svelte';
import { changeQuery, collections, deleteSearch, renameTag } from './collections.svelte';
import { hidePicked, pickAlso } from './bulk';
import { dialogs } from './dialogs.svelte';
import { listenToCore } from './events';
import { unsubscribe } from './feeds';
import { act, usable } from './actions';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { mark, markAllRead } from './marks';
import { setOldestFirst } from '../../components/timeline/view-options';
import { go, goTo, goUnread, hide, openRow, openSavedSearch, seen, showSource } from './navigation';
import { layout } from './layout.svelte';
import { EMPTY, rules } from './rules.svelte';
import { search } from './search.svelte';
import { toasts } from './toasts.svelte';
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

/** Two tags and a saved search. */
async function fill(): Promise<void> {
  const all = { source: { kind: 'all' }, unread_only: false, order: 'newest', after: null, before: null, limit: 8 };
  const { rows } = (await core().call('articles', all)) as ArticlePage;
  const tag = (name: string, from: number) =>
    core().call('tag_articles', { ids: rows.slice(from, from + 4).map(({ id }) => id), name, on: true });
  await tag('Boats', 0);
  await tag('Grain', 4);
  await core().call('save_search', { name: 'Wheat', query: 'wheat' });
}

let stop: () => void;

beforeEach(async () => {
  setCatalogue(en, 'en');
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  test.core = await TestCore.open();
  list.pendingMarks.forget();
  undo.forget();
  reading.close();
  stop = listenToCore();
  await core().call('ready');
  await fill();
  void library.load();
  void collections.load();
  void list.show({ kind: 'unread' });
  await settle();
});

afterEach(async () => {
  stop();
  await core().close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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
    // As the window does when the article becomes visible.
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

describe('undo', () => {
  it('names what it did and can be redone, with one message at a time', async () => {
    const row = at(2);
    void mark([row], { starred: true });
    await settle();
    act('undo');
    await settle();
    expect(list.row(row.id)?.starred).toBe(false);
    expect(toasts.shown).toMatchObject([{ text: `Undone: Star added to “${row.title}”`, action: { label: 'Redo' } }]);
    act('redo');
    await settle();
    expect(list.row(row.id)?.starred).toBe(true);
    expect(toasts.shown).toMatchObject([{ text: `Star added to “${row.title}”`, action: { label: 'Undo' } }]);
    // Undoing again works, and a new action ends what could be redone.
    act('undo');
    await settle();
    void mark([at(3)], { read: true });
    await settle();
    expect([usable('undo'), usable('redo')]).toEqual([true, false]);
  });

  it('redoes what was done to several articles, and says only that redoing failed', async () => {
    const [one, two] = [at(0), at(1)];
    pickAlso(one.id);
    pickAlso(two.id);
    void hidePicked();
    await settle();
    expect(ids()).not.toContain(two.id);
    void undo.take();
    await settle();
    expect(ids()).toContain(two.id);
    void undo.redo();
    await settle();
    expect(ids()).not.toContain(two.id);
    void undo.take();
    await settle();
    core().refused = { command: 'mark', code: 'busy' };
    void undo.redo();
    await settle();
    expect([ids().includes(two.id), toasts.shown.map(({ isError }) => isError)]).toEqual([true, [true]]);
    core().refused = null;
  });

  it('takes back what a message offers, not the mark of an article that was opened meanwhile', async () => {
    const [opened, hidden] = [at(1), at(3)];
    void hide(hidden);
    await settle();
    void openRow(opened);
    await settle();
    expect(list.row(opened.id)?.read).toBe(true);
    act('undo');
    await settle();
    expect([ids().includes(hidden.id), list.row(opened.id)?.read]).toEqual([true, true]);
    act('undo');
    await settle();
    expect(list.row(opened.id)?.read).toBe(false);
  });

  it('can be retried after a failure', async () => {
    void openRow(at(1));
    await settle();
    core().refused = { command: 'undo', code: 'busy' };
    void undo.take();
    await settle();
    expect(at(1).read).toBe(true);
    core().refused = null;
    void undo.take();
    await settle();
    expect(at(1).read).toBe(false);
  });

  it('says the same of marks, however many were set, and of other steps', async () => {
    const undone = async (act: () => Promise<unknown>) => {
      void act();
      await settle();
      void undo.take();
      await settle();
      return toasts.shown.at(-1)?.text;
    };
    const { title } = at(0);
    expect(await undone(() => mark([at(0)], { starred: true }))).toBe(`Undone: Star added to “${title}”`);
    expect(await undone(() => mark([at(0), at(1)], { read: true }))).toBe('Undone: 2 articles marked as read');
    expect(await undone(() => markAllRead())).toMatch(/^Undone: [\d,]+ articles marked as read$/);
    expect(await undone(() => hide(at(0)))).toMatch(/^Undone: /);
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

  it('goes where the keys say that were pressed while it loaded', async () => {
    act('all');
    for (let i = 0; i < 3; i++) void go(1);
    await settle();
    expect(list.selected).toBe(at(2).id);
    // The list of the first key is not shown any more.
    for (const key of [() => act('unread'), () => goTo('last'), () => act('all'), () => go(1)]) void key();
    await settle();
    expect([list.source.kind, list.selected]).toEqual(['all', at(0).id]);
  });

  it('begins at its real end with the keys for the previous article, and goes on above', async () => {
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

  it('of a folder goes on with the next unread feed below it', async () => {
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

describe('renaming', () => {
  it('is undone and redone', async () => {
    const feed = library.feeds.find(({ local }) => !local) as Feed;
    const node = nodes().find(({ key }) => key === `feed-${feed.id}`);
    if (!node) throw new Error('a row');
    const title = () => library.feedById.get(feed.id)?.title;
    void rename(node, 'My feed');
    await settle();
    expect(title()).toBe('My feed');
    act('undo');
    await settle();
    expect(title()).toBe(feed.title);
    act('redo');
    await settle();
    expect(title()).toBe('My feed');
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

describe('a tag', () => {
  it('passes its list to the tag it is merged into, and restores it on undo', async () => {
    const [kept, gone] = collections.tags as [Tag, Tag];
    void list.show({ kind: 'tag', id: gone.id });
    await settle();
    const before = ids();
    void renameTag(kept, gone.name);
    await settle();
    expect(list.source).toEqual({ kind: 'tag', id: kept.id });
    expect(ids()).toEqual(expect.arrayContaining(before));
    void undo.take();
    await settle();
    expect(list.source).toEqual({ kind: 'tag', id: gone.id });
    expect(ids()).toEqual(before);
    void undo.redo();
    await settle();
    expect([list.source, toasts.shown.at(-1)?.text]).toEqual([
      { kind: 'tag', id: kept.id },
      `Tag renamed to “${gone.name}”`,
    ]);
  });
});

describe('a saved search', () => {
  it('that is open shows the stored query', async () => {
    const [saved] = collections.searches as [SavedSearch];
    openSavedSearch(saved);
    void changeQuery(saved, 'rye');
    await settle();
    expect(search.saved?.query).toBe('rye');
    void undo.take();
    await settle();
    expect(search.saved?.query).toBe(saved.query);
    core().refused = { command: 'change_saved_search', code: 'busy' };
    void changeQuery(saved, 'rye');
    await settle();
    expect(search.saved?.query).toBe(saved.query);
    void deleteSearch(saved);
    await settle();
    expect(search.saved).toBeNull();
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

describe('applying a rule', () => {
  it('updates the open article, also on undo', async () => {
    void openRow(at(1));
    await settle();
    const { id, title, starred } = reading.article as Article;
    const word = /\p{L}+/u.exec(title)?.[0] ?? '';
    void rules.save({ ...EMPTY, name: 'Stars', query: word, actions: [{ kind: 'star' }] });
    await settle();
    void rules.apply(rules.all?.find(({ name }) => name === 'Stars') as Rule);
    await settle();
    expect(reading.article).toMatchObject({ id, starred: true });
    void undo.take();
    await settle();
    expect(reading.article).toMatchObject({ id, starred });
  });
});

describe('unsubscribing', () => {
  it('closes only what belongs to the feed, and is undone completely', async () => {
    const feeds = library.feeds.filter((feed) => !feed.local);
    const [first, second] = [feeds[0] as Feed, feeds[1] as Feed];
    dialogs.show({ kind: 'statistics' });
    const back = vi.fn();
    void unsubscribe([first], back);
    await settle();
    expect(library.feedById.has(first.id)).toBe(false);
    expect(dialogs.open?.kind).toBe('statistics');
    void undo.take();
    await settle();
    expect(library.feedById.has(first.id)).toBe(true);
    expect(back).toHaveBeenCalledOnce();
    dialogs.show({ kind: 'feed_info', feed: second });
    void unsubscribe([second]);
    await settle();
    expect(dialogs.open).toBeNull();
  });

  it('keeps the place in another list when it is undone', async () => {
    void showSource({ kind: 'all' });
    await settle();
    const feed = library.feeds.find(({ local }) => !local) as Feed;
    const [top, open] = list.rows.filter((row) => row.feed_id !== feed.id).slice(2) as [ArticleRow, ArticleRow];
    void openRow(open);
    await settle();
    list.place = { id: top.id, offset: 7 };
    void unsubscribe([feed]);
    await settle();
    void undo.take();
    await settle();
    expect([list.source.kind, list.selected, reading.id]).toEqual(['all', open.id, open.id]);
    expect(list.place).toEqual({ id: top.id, offset: 7 });
    expect(list.startAt).toEqual({ id: top.id, offset: 7 });
  });

  it('reports a refusal', async () => {
    core().refused = { command: 'unsubscribe', code: 'busy' };
    const feed = library.feeds[0] as Feed;
    dialogs.show({ kind: 'feed_info', feed });
    const done = unsubscribe([feed]);
    await settle();
    expect(await done).toBe(false);
    expect(dialogs.open?.kind).toBe('feed_info');
    expect(library.feedById.has(feed.id)).toBe(true);
    dialogs.close();
  });
});
