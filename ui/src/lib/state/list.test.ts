import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import { nodes, withoutCount } from '../../components/sidebar/nodes';
import { setGroup, setOrder, setRiver } from '../../components/timeline/view-options';
import type { ArticleRow, CommandName } from '../ipc';
import { NONE } from '../list/selection';
import { act } from './actions';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { markPlayed } from './listening';
import { markAllRead, markOlderRead, markSourcesRead } from './marks';
import { moveBy } from './arrange';
import { hidePicked, moveCursor, pickAlso, pickNext, pickRow, pickTo } from './bulk';
import { deleteFolder, renameFeed, unsubscribe } from './feeds';
import { openRow } from './navigation';
import { scrolledPast } from './scrolled-past';
import { settings } from './settings.svelte';
import { sortByName } from './sort';
import { undo } from './undo.svelte';
import { views } from './views.svelte';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
}));

const core = () => test.core as TestCore;
const settle = () => core().settle();
const at = (index: number) => list.rows[index] as ArticleRow;
const ids = (rows: readonly ArticleRow[] = list.rows) => rows.map((row) => row.id);
const marks = () => core().calls.filter(([name]) => name === 'mark').length;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  test.core = await TestCore.open();
  undo.forget();
  settings.change({ read_on_scroll: false, oldest_first: false });
  void library.load();
  void views.load();
  void list.show({ kind: 'all' });
  await settle();
  core().calls = [];
});

afterEach(async () => {
  await core().close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('order of a list', () => {
  it('is stored per list', async () => {
    setOrder('longest');
    await settle();
    const lengths = list.rows.map((row) => row.length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
    void list.show({ kind: 'unread' });
    await settle();
    expect(list.view.order).toBe('newest');
    void views.load();
    void list.show({ kind: 'all' });
    await settle();
    expect(list.view.order).toBe('longest');
  });

  it('changes with a grouping that needs another, and drops unsupported groupings', async () => {
    setGroup('feed');
    await settle();
    expect(list.view).toMatchObject({ group: 'feed', order: 'by_feed' });
    setOrder('infrequent_first');
    expect(list.view.group).toBe('feed');
    setOrder('shortest');
    expect(list.view.group).toBe('none');
    setGroup('day');
    expect(list.view).toMatchObject({ group: 'day', order: 'newest' });
    await settle();
  });

  it('is reverted if the core refuses', async () => {
    core().refused = { command: 'save_view', code: 'busy' };
    setGroup('day');
    await settle();
    expect(list.view.group).toBe('none');
    const before = ids();
    setOrder('longest');
    await settle();
    expect(list.view.order).toBe('newest');
    expect(ids()).toEqual(before);
  });

  it('continues from page to page without gaps', async () => {
    setOrder('by_feed');
    await settle();
    void list.loadMore();
    await settle();
    expect(list.rows).toHaveLength(400);
    expect(new Set(ids()).size).toBe(400);
  });
});

describe('bulk actions', () => {
  it('select a range from the open row, or single rows', async () => {
    void openRow(at(2));
    await settle();
    pickNext(1);
    pickNext(1);
    expect(ids(list.picked())).toEqual([at(2).id, at(3).id, at(4).id]);
    pickTo(1);
    expect(ids(list.picked())).toEqual([at(1).id, at(2).id]);
    list.picks = NONE;
    list.cursor = null;
    pickAlso(at(7).id);
    expect(ids(list.picked())).toEqual([at(2).id, at(7).id]);
    pickRow();
    expect(ids(list.picked())).toEqual([at(2).id]);
    void openRow(at(5));
    await settle();
    expect(list.picks.ids.size).toBe(0);
  });

  it('mark rows and undo it in one step', async () => {
    pickTo(4);
    const before = list.rows.slice(0, 5).map((row) => row.starred);
    act('toggle_star');
    await settle();
    expect(list.rows.slice(0, 5).every((row) => row.starred)).toBe(true);
    expect(marks()).toBe(1);
    void undo.take();
    await settle();
    expect(list.rows.slice(0, 5).map((row) => row.starred)).toEqual(before);
  });

  it('hide rows and restore them in place', async () => {
    const before = ids();
    pickTo(2);
    pickAlso(at(6).id);
    act('hide');
    await settle();
    expect(ids()).toEqual(before.filter((_, i) => i > 2 && i !== 6));
    void undo.take();
    await settle();
    expect(ids()).toEqual(before);
  });
});

describe('scrolling past rows', () => {
  it('marks them as read in one batch, if enabled', async () => {
    scrolledPast.passed(0, 3);
    await settle();
    expect(marks()).toBe(0);
    settings.change({ read_on_scroll: true });
    void list.show({ kind: 'unread' });
    await settle();
    scrolledPast.passed(0, 3);
    scrolledPast.passed(3, 6);
    await settle();
    expect(marks()).toBe(1);
    expect(list.rows.map((row) => row.read).indexOf(false)).toBe(6);
    void undo.take();
    await settle();
    expect(at(0).read).toBe(false);
  });

  it('marks them also if another list is shown before the batch ends', async () => {
    settings.change({ read_on_scroll: true });
    void list.show({ kind: 'unread' });
    await settle();
    const passed = ids().slice(0, 3);
    scrolledPast.passed(0, 3);
    void list.show({ kind: 'all' });
    await settle();
    expect([marks(), passed.map((id) => list.row(id)?.read)]).toEqual([1, [true, true, true]]);
  });

  it('marks only articles that nothing else has marked in the meantime', async () => {
    settings.change({ read_on_scroll: true });
    void list.show({ kind: 'unread' });
    await settle();
    scrolledPast.passed(0, 3);
    void markAllRead();
    void list.show({ kind: 'all' });
    await settle();
    expect([marks(), library.counts.smart.unread]).toEqual([0, 0]);
    void undo.take();
    await settle();
    await library.loadCounts();
    expect([undo.canUndo, library.counts.smart.unread > 3]).toEqual([false, true]);
  });

  it('marks them in the list behind search results as well', async () => {
    settings.change({ read_on_scroll: true });
    void list.show({ kind: 'unread' });
    await settle();
    const { rows } = list;
    list.beginSearch();
    list.showFound({ rows: rows.slice(0, 5), more: false });
    scrolledPast.passed(0, 3);
    list.endSearch();
    expect(list.rows.map((row) => row.read).indexOf(false)).toBe(3);
    await settle();
    expect([marks(), list.rows.map((row) => row.read).indexOf(false)]).toEqual([1, 3]);
  });
});

it('a list that was left at its start stays there, whichever row is selected', async () => {
  const { id, sort_at, feed_id, length } = at(40);
  const generation = list.generation;
  void list.show({ kind: 'all' }, { place: null, selected: { id, sort_at, feed_id, length }, atStart: true });
  await settle();
  expect(list.selected).toBe(id);
  expect(list.startAt).toEqual({ id: at(0).id, offset: 0 });
  expect(list.generation).toBe(generation + 2);
});

describe('a river', () => {
  it('opens at its saved position and loads rows above', async () => {
    const whole = ids();
    list.onScrolled({ id: at(150).id, offset: 0 });
    setRiver(true);
    await settle();
    void list.show({ kind: 'unread' });
    await settle();
    void list.show({ kind: 'all' });
    await settle();
    const shownCount = () =>
      nodes()
        .map(withoutCount)
        .find((node) => node.key === 'all')?.countText;
    expect(shownCount()).toBe('');
    expect(at(0).id).toBe(whole[150]);
    expect(list.above).toBe(true);
    void list.loadAbove();
    await settle();
    expect(ids().slice(0, 200)).toEqual(whole);
    expect(list.above).toBe(false);
  });
});

describe('the keyboard position', () => {
  it('moves without opening or selecting, and rows that are not neighbours are selected', async () => {
    void openRow(at(0));
    await settle();
    core().calls = [];
    moveCursor(1);
    moveCursor(1);
    expect([list.selected, list.cursor, list.picks]).toEqual([at(0).id, at(2).id, NONE]);
    pickAlso(at(2).id);
    moveCursor(1);
    moveCursor(1);
    expect(ids(list.picked())).toEqual(ids([at(0), at(2)]));
    pickRow();
    expect(ids(list.picked())).toEqual(ids([at(0), at(2), at(4)]));
    moveCursor(-1);
    expect(list.cursor).toBe(at(3).id);
    expect(core().calls).toEqual([]);
  });

  it('stays at the ends of the list, and Escape returns it to the open row', () => {
    moveCursor(-1);
    expect(list.cursor).toBeNull();
    for (let n = 0; n <= list.rows.length; n++) moveCursor(1);
    expect(list.cursor).toBe(list.rows.at(-1)?.id);
    act('close');
    expect(list.cursor).toBeNull();
  });
});

describe('undoing', () => {
  it('waits for every action that is not answered yet', async () => {
    const [folder, feed] = [library.folders[0]!, library.feeds.find(({ folder_id }) => folder_id !== null)!];
    const actions: Record<string, () => Promise<unknown>> = {
      markAllRead: () => markAllRead(),
      markSourcesRead: () => markSourcesRead([{ kind: 'feed', id: feed.id }]),
      markOlderRead: () => markOlderRead({ kind: 'all' }, 1),
      hidePicked: () => (pickTo(1), hidePicked()),
      markPlayed: () => markPlayed(at(0)),
      renameFeed: () => renameFeed(feed, 'Another name'),
      unsubscribe: () => unsubscribe([feed]),
      deleteFolder: () => deleteFolder(folder),
      sortByName: () => sortByName(null),
      moveBy: () => moveBy({ feeds: [feed.id], folders: [] }, 'out'),
    };
    const waited: string[] = [];
    for (const [name, action] of Object.entries(actions)) {
      undo.forget();
      core().calls = [];
      void action();
      void undo.take();
      await settle();
      if (core().calls.some(([command]) => command === 'undo') && !undo.canUndo) waited.push(name);
      // The core's events would do the same.
      await library.load();
    }
    expect(waited).toEqual(Object.keys(actions));
  });
});
