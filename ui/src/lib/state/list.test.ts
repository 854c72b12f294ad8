import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nodes, uncounted } from '../../components/sidebar/nodes';
import { setGroup, setOrder, setRiver } from '../../components/timeline/view-options';
import type { ArticleRow, CommandName, Core } from '../ipc';
import { fakeCore } from '../ipc/fake';
import { NONE } from '../list/picks';
import { act } from './keys.svelte';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { pickAlso, pickNext, pickRow, pickTo } from './picked';
import { openRow } from './reader';
import { scrolledPast } from './scrolled-past';
import { settings } from './settings.svelte';
import { undo } from './undo.svelte';
import { views } from './views.svelte';

const shell = vi.hoisted(() => ({ core: null as Core | null, refused: null as string | null, calls: [] as unknown[] }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => {
    shell.calls.push([name, args]);
    if (shell.refused === name) return Promise.reject({ code: 'busy', message: 'busy', detail: null });
    return shell.core?.call(name, args ?? null);
  },
}));

const settle = () => vi.advanceTimersByTimeAsync(3000);
const at = (index: number) => list.rows[index] as ArticleRow;
const ids = (rows: readonly ArticleRow[] = list.rows) => rows.map((row) => row.id);
const marks = () => shell.calls.filter((one) => Array.isArray(one) && one[0] === 'mark').length;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  shell.core = fakeCore();
  shell.refused = null;
  undo.forget();
  settings.change({ read_on_scroll: false, oldest_first: false });
  void library.load();
  void views.load();
  void list.show({ kind: 'all' });
  await settle();
  shell.calls = [];
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the order of a list', () => {
  it('is its own, and is kept', async () => {
    setOrder('longest');
    await settle();
    const words = list.rows.map((row) => row.words);
    expect(words).toEqual(words.toSorted((a, b) => b - a));
    void list.show({ kind: 'unread' });
    await settle();
    expect(list.look.order).toBe('newest');
    void views.load();
    void list.show({ kind: 'all' });
    await settle();
    expect(list.look.order).toBe('longest');
  });

  it('follows headings that need another, and loses those that make no sense', async () => {
    setGroup('feed');
    await settle();
    expect(list.look).toMatchObject({ group: 'feed', order: 'by_feed' });
    setOrder('rare_first');
    expect(list.look.group).toBe('feed');
    setOrder('shortest');
    expect(list.look.group).toBe('none');
    setGroup('day');
    expect(list.look).toMatchObject({ group: 'day', order: 'newest' });
    await settle();
  });

  it('is as it was where the core refuses it', async () => {
    shell.refused = 'save_view';
    setGroup('day');
    await settle();
    expect(list.look.group).toBe('none');
    const before = ids();
    setOrder('longest');
    await settle();
    expect(list.look.order).toBe('newest');
    expect(ids()).toEqual(before);
  });

  it('goes on from page to page without a gap', async () => {
    setOrder('by_feed');
    await settle();
    void list.loadMore();
    await settle();
    expect(list.rows).toHaveLength(400);
    expect(new Set(ids()).size).toBe(400);
  });
});

describe('many at once', () => {
  it('are chosen by a range from the open one, or one by one', async () => {
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

  it('are marked, and given back, in one step', async () => {
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

  it('are hidden, and come back where they were', async () => {
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

describe('what is scrolled past', () => {
  it('is read in one batch, where that is wished', async () => {
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
});

describe('a river', () => {
  it('is read on where it was left, and goes on above', async () => {
    const whole = ids();
    list.placed({ id: at(150).id, offset: 0 });
    setRiver(true);
    await settle();
    void list.show({ kind: 'unread' });
    await settle();
    void list.show({ kind: 'all' });
    await settle();
    const told = () =>
      nodes()
        .map(uncounted)
        .find((node) => node.key === 'all')?.said;
    expect(told()).toBe('');
    expect(at(0).id).toBe(whole[150]);
    expect(list.above).toBe(true);
    void list.loadAbove();
    await settle();
    expect(ids().slice(0, 200)).toEqual(whole);
    expect(list.above).toBe(false);
  });
});
