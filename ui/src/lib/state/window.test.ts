import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nodes } from '../../components/sidebar/nodes';
import type { Article, ArticleRow, CommandName, Core, Feed, Rule, SavedSearch, Tag } from '../ipc';
import { fakeCore } from '../ipc/fake';
import { reading } from './article.svelte';
import { changeQuery, collections, deleteSearch, renameTag } from './collections.svelte';
import { dialogs } from './dialogs.svelte';
import { follow } from './events';
import { unsubscribe } from './feeds';
import { act, usable } from './keys.svelte';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { markAllRead } from './marks';
import { hide, openRow, seen } from './reader';
import { layout } from './layout.svelte';
import { EMPTY, rules } from './rules.svelte';
import { search } from './search.svelte';
import { undo } from './undo.svelte';

const shell = vi.hoisted(() => ({ core: null as Core | null, refused: null as string | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => {
    if (shell.refused === name) return Promise.reject({ code: 'busy', message: 'busy', detail: null });
    return shell.core?.call(name, args ?? null);
  },
  on: (name: never, handler: never) => {
    const stop = shell.core?.on(name, handler);
    return () => void stop?.then((end) => end());
  },
}));

const settle = () => vi.advanceTimersByTimeAsync(2000);
const unread = (id: number) => library.unread.get(id) ?? 0;
const at = (index: number) => list.rows[index] as ArticleRow;
const ids = () => list.rows.map((row) => row.id);

let stop: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  shell.core = fakeCore();
  list.knows.forget();
  shell.refused = null;
  undo.forget();
  reading.close();
  stop = follow();
  void library.load();
  void collections.load();
  void list.show({ kind: 'unread' });
  await settle();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('where the list and the article take turns', () => {
  it('reads nothing that only the list shows, until it is in sight', async () => {
    vi.stubGlobal('document', { activeElement: null });
    layout.width = 600;
    layout.stage = 'list';
    const first = at(0);
    act('next');
    await settle();
    expect([reading.article?.id, reading.unseen, list.row(first.id)?.read]).toEqual([first.id, true, false]);
    // Space shows it, and does not run past it.
    act('read_on');
    expect([layout.stage, layout.shows, reading.id]).toEqual(['article', true, first.id]);
    // As the window does then.
    seen();
    await settle();
    expect([reading.unseen, list.row(first.id)?.read, reading.article?.read]).toEqual([false, true, true]);
    act('next');
    await settle();
    expect([reading.unseen, list.row(at(1).id)?.read]).toEqual([false, true]);
    layout.width = 1280;
  });
});

describe('the counts', () => {
  it('follow when all of a feed is read, and when that is undone', async () => {
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

  it('follow when an article is hidden', async () => {
    const all = library.counts.smart.unread;
    void hide(at(3));
    await settle();
    expect(library.counts.smart.unread).toBe(all - 1);
  });
});

describe('hiding', () => {
  it('goes on to the next article, and is undone before that one is unread again', async () => {
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
    expect(collections.hidden).toBe(0);
    expect(list.row(next.id)?.read).toBe(true);
    act('undo');
    await settle();
    expect(list.row(next.id)?.read).toBe(false);
  });

  it('goes nowhere where it is refused', async () => {
    void openRow(at(1));
    await settle();
    const before = ids();
    shell.refused = 'mark';
    act('hide');
    await settle();
    expect(ids()).toEqual(before);
    expect(reading.id).toBe(before[1]);
  });

  it('leaves the list of hidden ones when it is undone there', async () => {
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

  it('comes back among what a search found, and in the list behind it', async () => {
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
  it('are about the article that is asked for, not about the one before', async () => {
    const [former, asked] = [at(1), at(2)];
    void openRow(former);
    await settle();
    void openRow(asked);
    expect(reading.article?.id).toBe(former.id);
    expect(usable('copy_link')).toBe(false);
    const starred = asked.starred;
    act('toggle_star');
    await settle();
    expect(list.row(asked.id)?.starred).toBe(!starred);
    expect(list.row(former.id)?.starred).toBe(former.starred);
  });
});

describe('an undo', () => {
  it('that fails once can be tried again', async () => {
    void openRow(at(1));
    await settle();
    shell.refused = 'undo';
    void undo.take();
    await settle();
    expect(at(1).read).toBe(true);
    shell.refused = null;
    void undo.take();
    await settle();
    expect(at(1).read).toBe(false);
  });
});

describe('a tag', () => {
  it('that goes into another gives its list to that one, and takes it back', async () => {
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
  });
});

describe('a saved search', () => {
  it('that is open is as the library has it', async () => {
    const [saved] = collections.searches as [SavedSearch];
    search.openSaved(saved);
    void changeQuery(saved, 'rye');
    await settle();
    expect(search.saved?.query).toBe('rye');
    void undo.take();
    await settle();
    expect(search.saved?.query).toBe(saved.query);
    shell.refused = 'change_saved_search';
    void changeQuery(saved, 'rye');
    await settle();
    expect(search.saved?.query).toBe(saved.query);
    void deleteSearch(saved);
    await settle();
    expect(search.saved).toBeNull();
  });
});

describe('the sidebar', () => {
  it('draws anew only what a mark changes', async () => {
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

describe('an applied rule', () => {
  it('shows in the open article, and so does its undo', async () => {
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

describe('leaving a feed', () => {
  it('closes what is told about it and nothing else, and comes back whole', async () => {
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
    dialogs.show({ kind: 'about_feed', feed: second });
    void unsubscribe([second]);
    await settle();
    expect(dialogs.open).toBeNull();
  });

  it('says so where it is refused', async () => {
    shell.refused = 'unsubscribe';
    const feed = library.feeds[0] as Feed;
    dialogs.show({ kind: 'about_feed', feed });
    const done = unsubscribe([feed]);
    await settle();
    expect(await done).toBe(false);
    expect(dialogs.open?.kind).toBe('about_feed');
    expect(library.feedById.has(feed.id)).toBe(true);
    dialogs.close();
  });
});
