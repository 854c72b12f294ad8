// long: each action with its undo, in one window.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import { openWindow } from '../../../tests/window';
import { nodes } from '../../components/sidebar/nodes';
import { rename } from '../../components/sidebar/rename';
import type { Article, ArticleRow, CommandName, Feed, Folder, RetentionPolicy, Rule, SavedSearch, Tag } from '../ipc';
import { reading } from './article.svelte';
import { changeQuery, collections, deleteSearch, deleteTag, renameTag } from './collections.svelte';
import { saveSearch, setSynonym, setTag } from './collection-changes';
import { hidePicked, pickAlso } from './bulk';
import { dialogs } from './dialogs.svelte';
import { setRetention } from './feed-changes';
import { deleteFolder, unsubscribe } from './feeds';
import { act, usable } from './actions';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { mark, markAllRead } from './marks';
import { keepFewer, markNewRead } from './proposals';
import { hide, openRow, openSavedSearch, showSource } from './navigation';
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
const at = (index: number) => list.rows[index] as ArticleRow;
const ids = () => list.rows.map((row) => row.id);

let close: () => Promise<void>;

beforeEach(async () => {
  test.core = await TestCore.open();
  close = await openWindow(core());
});

afterEach(() => close());

describe('undo', () => {
  it('deletes a search that was saved, and saves it again', async () => {
    const names = () => collections.searches.map(({ name }) => name);
    const before = names();
    const id = await saveSearch('Everything about harbours', 'harbour');
    expect(toasts.shown.at(-1)?.action?.label).toBe('Undo');
    act('undo');
    await settle();
    expect(names()).toEqual(before);
    act('redo');
    await settle();
    expect(names()).toEqual([...before, 'Everything about harbours']);
    expect(collections.searches.at(-1)).toMatchObject({ id, query: 'harbour' });
    act('undo');
    await settle();
    expect(names()).toEqual(before);
  });

  it('leaves no empty tag behind', async () => {
    const names = () => collections.tags.map(({ name }) => name);
    const before = names();
    await setTag([at(0).id], 'Harbours', true);
    expect(names()).toContain('Harbours');
    await undo.take();
    await settle();
    expect(names()).toEqual(before);
    await undo.redo();
    await settle();
    const harbours = collections.tags.find(({ name }) => name === 'Harbours') as Tag;
    expect(harbours.items).toBe(1);
    // Its list is left, and what followed can be done again.
    await renameTag(harbours, 'Ports');
    void showSource({ kind: 'tag', id: harbours.id });
    await settle();
    await undo.take();
    await undo.take();
    await settle();
    expect([names(), list.source]).toEqual([before, { kind: 'unread' }]);
    await undo.redo();
    await undo.redo();
    await settle();
    expect(names()).toContain('Ports');
  });

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
    // Undoing again works, and after a new action nothing can be redone.
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

  it('undoes the step that a message offers, not the mark of an article that was opened in the meantime', async () => {
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

  it('can undo as many steps even if the core counts some of them twice', async () => {
    const marked = list.rows.slice(0, 60);
    for (const row of marked) await mark([row], { starred: !row.starred });
    for (let added = 0; added < 40; added++)
      await rules.save({ ...EMPTY, query: `rule${added}`, actions: [{ kind: 'star' }] });
    for (let step = 0; step < 100; step++) {
      await undo.take();
      expect(toasts.shown.map(({ isError }) => isError)).toEqual([false]);
    }
    expect([undo.canUndo, marked.map(({ id }) => list.row(id)?.starred)]).toEqual([
      false,
      marked.map(({ starred }) => starred),
    ]);
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

  it('has the same text for any number of marks, and for other steps', async () => {
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

describe('a tag', () => {
  it('passes its list to the tag it is merged into, and restores it on undo', async () => {
    const [kept, gone] = collections.tags as [Tag, Tag];
    void list.show({ kind: 'tag', id: gone.id });
    await settle();
    const before = ids();
    const { id: open } = at(1);
    void openRow(at(1));
    await settle();
    void renameTag(kept, gone.name);
    await settle();
    expect([list.source, list.selected, reading.id]).toEqual([{ kind: 'tag', id: kept.id }, open, open]);
    expect(ids()).toEqual(expect.arrayContaining(before));
    void undo.take();
    await settle();
    expect([list.source, list.selected, reading.id]).toEqual([{ kind: 'tag', id: gone.id }, open, open]);
    expect(ids()).toEqual(before);
    void undo.redo();
    await settle();
    expect([list.source, toasts.shown.at(-1)?.text]).toEqual([
      { kind: 'tag', id: kept.id },
      `Tag ${kept.name} merged into ${gone.name}`,
    ]);
  });
});

describe('merging tags', () => {
  it('restores their list from its beginning if another one is shown by then', async () => {
    const [kept, gone] = collections.tags as [Tag, Tag];
    void list.show({ kind: 'tag', id: gone.id });
    await settle();
    const before = ids();
    void renameTag(kept, gone.name);
    await settle();
    void list.show({ kind: 'all' });
    await settle();
    list.place = { id: before[2] as number, offset: 5 };
    void undo.take();
    await settle();
    expect([list.source, ids(), list.above]).toEqual([{ kind: 'tag', id: gone.id }, before, false]);
  });

  it('shows the articles of both, and only its own after undo', async () => {
    const [kept, gone] = collections.tags as [Tag, Tag];
    void list.show({ kind: 'tag', id: kept.id });
    await settle();
    const before = ids();
    void renameTag(kept, gone.name);
    await settle();
    expect([toasts.shown.at(-1)?.text, ids().length]).toEqual(['Tag Boats merged into Grain', 8]);
    void undo.take();
    await settle();
    expect([ids(), collections.tags.map(({ name }) => name)]).toEqual([before, ['Boats', 'Grain']]);
  });

  it('changes the list behind search results', async () => {
    const [kept, gone] = collections.tags as [Tag, Tag];
    void list.show({ kind: 'tag', id: kept.id });
    await settle();
    list.beginSearch();
    void renameTag(kept, gone.name);
    await settle();
    list.endSearch();
    await settle();
    expect(ids()).toHaveLength(8);
    list.beginSearch();
    void undo.take();
    await settle();
    list.endSearch();
    await settle();
    expect(ids()).toHaveLength(4);
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

describe('redoing', () => {
  it('restores an added rule, and the changes that followed', async () => {
    const stars = { ...EMPTY, name: 'Stars', query: 'rye', actions: [{ kind: 'star' as const }] };
    const before = (await core().call('rules')) as Rule[];
    void rules.save(stars);
    await settle();
    const { id } = rules.all?.find(({ name }) => name === 'Stars') as Rule;
    void rules.save({ ...stars, id, name: 'Marks' });
    await settle();
    for (let round = 0; round < 2; round++) {
      for (const step of ['undo', 'undo'] as const) {
        act(step);
        await settle();
      }
      expect(await core().call('rules')).toEqual(before);
      for (const step of ['redo', 'redo'] as const) {
        act(step);
        await settle();
      }
      expect(await core().call('rules')).toMatchObject([...before, { id, name: 'Marks' }]);
    }
  });

  it('sets a synonym and a retention policy again', async () => {
    const { id } = library.feeds.find(({ local }) => !local) as Feed;
    const scope = { kind: 'feed', id } as const;
    const policy: RetentionPolicy = { days: null, articles: 3, bytes: null, keep_unread: false };
    const changed = vi.fn();
    void setSynonym('rye', 'grain', changed);
    await settle();
    void setRetention(scope, policy, () => false, changed);
    await settle();
    const now = async () => {
      const { synonyms } = (await core().call('categories')) as { synonyms: unknown[] };
      return [synonyms, ((await core().call('retention', scope)) as { own: RetentionPolicy | null }).own];
    };
    const done = await now();
    expect(done).toMatchObject([[{ key: 'rye', means: 'grain' }], policy]);
    for (const [step, state] of [
      ['undo', [[], null]],
      ['redo', done],
      ['undo', [[], null]],
    ] as const) {
      act(step);
      await settle();
      act(step);
      await settle();
      expect(await now()).toEqual(state);
    }
    expect(changed).toHaveBeenCalledTimes(6);
  });
});

describe('a suggestion of the statistics', () => {
  it.each([keepFewer, markNewRead])('is settled again by redoing: %o', async (settleIt) => {
    const feed = library.feeds.find(({ local }) => !local) as Feed;
    const changed = vi.fn();
    void settleIt(feed, changed);
    await settle();
    for (const step of ['undo', 'redo', 'undo', 'redo'] as const) {
      act(step);
      await settle();
    }
    expect(changed.mock.calls).toEqual([[true], [false], [true], [false]]);
    expect(undo.canUndo).toBe(true);
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

describe('removing', () => {
  it('is done once, however often its key is pressed before the row is gone', async () => {
    const feed = library.feeds.find(({ local }) => !local) as Feed;
    const folder = library.folders[0] as Folder;
    const tag = collections.tags[0] as Tag;
    const saved = collections.searches[0] as SavedSearch;
    const actions: (readonly [remove: () => Promise<unknown>, isThere: () => boolean])[] = [
      [() => unsubscribe([feed]), () => library.feedById.has(feed.id)],
      [() => deleteFolder(folder), () => library.folderById.has(folder.id)],
      [() => deleteTag(tag), () => collections.tagById.has(tag.id)],
      [() => deleteSearch(saved), () => collections.searches.some(({ id }) => id === saved.id)],
    ];
    for (const [remove, isThere] of actions) {
      undo.forget();
      await Promise.all([remove(), remove()]);
      // Until then the key would remove the same row again.
      expect(isThere()).toBe(false);
      expect(toasts.shown.map(({ isError }) => isError)).toEqual([false]);
      await settle();
      act('undo');
      await settle();
      expect(undo.canUndo).toBe(false);
    }
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

  it('removes the articles together with the feed', async () => {
    void showSource({ kind: 'all' });
    await settle();
    const row = list.rows.find(({ feed_id }) => !library.feedById.get(feed_id)?.local) as ArticleRow;
    await unsubscribe([library.feedById.get(row.feed_id) as Feed]);
    expect([library.feedById.has(row.feed_id), ids().includes(row.id)]).toEqual([false, false]);
  });

  it('can be undone before the sidebar is loaded, but only after the steps that followed', async () => {
    void showSource({ kind: 'all' });
    await settle();
    const feed = library.feeds.find(({ local }) => !local) as Feed;
    const row = list.rows.find((row) => row.feed_id !== feed.id && !row.starred) as ArticleRow;
    let load = () => {};
    const loaded = new Promise<void>((resolve) => (load = resolve));
    const call = core().call.bind(core());
    core().call = (name, args) => (name === 'overview' ? loaded.then(() => call(name, args)) : call(name, args));
    const done = unsubscribe([feed]);
    await settle();
    await mark([row], { starred: true });
    load();
    await done;
    void undo.take();
    await settle();
    expect([toasts.shown.at(-1)?.text, list.row(row.id)?.starred]).toEqual([
      `Undone: Star added to “${row.title}”`,
      false,
    ]);
    void undo.take();
    await settle();
    expect(library.feedById.has(feed.id)).toBe(true);
  });

  it('says which feeds undoing could not restore, and redoes it for the others', async () => {
    const [one, other] = library.feeds.filter((feed) => !feed.local) as [Feed, Feed];
    await unsubscribe([one, other]);
    const call = core().call.bind(core());
    core().call = async (name, args) => {
      const answer = await call(name, args);
      return name === 'undo' ? { lost_feeds: ['Rye', 'Oats', 'Plums', 'Wheat'] } : answer;
    };
    void undo.take();
    await settle();
    expect(toasts.shown).toMatchObject([
      {
        text: 'Undone: Unsubscribed from 2 feeds',
        detail:
          'Not restored: Rye, Oats, Plums, and 1 feed. Either they were deleted, or their addresses are subscribed again.',
      },
    ]);
    await call('unsubscribe', { feed_ids: [other.id] });
    await settle();
    void undo.redo();
    await settle();
    expect([library.feedById.has(one.id), toasts.shown.map(({ isError }) => isError)]).toEqual([false, [false]]);
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
