import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import type { ArticleRow, CommandName, Source } from '../ipc';
import { reading } from './article.svelte';
import { collections } from './collections.svelte';
import { listenToCore } from './events';
import { unsubscribe } from './feeds';
import { act, usable } from './actions';
import { mouseup } from './keyboard.svelte';
import { layout } from './layout.svelte';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { escapeSearch, leaveSearch, openArticle, openRow, openSearch, showSearch, showSource } from './navigation';
import { search } from './search.svelte';
import { undo } from './undo.svelte';
import { visited } from './visited.svelte';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
  on: (name: never, handler: never) => {
    const stop = test.core?.on(name, handler);
    return () => void stop?.then((end) => end());
  },
}));

const settle = () => (test.core as TestCore).settle();
const feed = (index: number): Source => ({ kind: 'feed', id: library.feeds[index]!.id });
const shown = () => (list.searching ? search.shownQuery : 'id' in list.source ? list.source.id : list.source.kind);

async function go(source: Source): Promise<void> {
  void showSource(source);
  await settle();
}

async function read(index: number): Promise<number> {
  const row = list.rows[index] as ArticleRow;
  void openRow(row);
  await settle();
  return row.id;
}

async function step(action: 'back' | 'forward'): Promise<unknown> {
  act(action);
  await settle();
  return shown();
}

let stop: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  vi.stubGlobal('document', { activeElement: null });
  vi.stubGlobal('addEventListener', () => undefined);
  test.core = await TestCore.open();
  list.pendingMarks.forget();
  undo.forget();
  reading.close();
  visited.forget();
  stop = listenToCore();
  await test.core.call('ready');
  void library.load();
  void collections.load();
  void list.show({ kind: 'unread' });
  await settle();
});

afterEach(async () => {
  stop();
  await test.core?.close();
  layout.width = 1280;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('back and forward', () => {
  it('show the lists that were shown, with their articles', async () => {
    expect([usable('back'), usable('forward')]).toEqual([false, false]);
    const [first, second] = [feed(0), feed(1)] as { kind: 'feed'; id: number }[];
    const unread = await read(1);
    await go(first!);
    const article = await read(0);
    await go(second!);
    expect(reading.id).toBeNull();
    expect(await step('back')).toBe(first!.id);
    expect([reading.article?.id, list.selected]).toEqual([article, article]);
    expect(await step('back')).toBe('unread');
    // The article was read, and is still in its list.
    expect([reading.article?.id, list.selected, list.row(unread)?.read]).toEqual([unread, unread, true]);
    expect([usable('back'), usable('forward')]).toEqual([false, true]);
    await step('back');
    expect(await step('forward')).toBe(first!.id);
    expect(await step('forward')).toBe(second!.id);
    expect([reading.id, usable('forward')]).toEqual([null, false]);
    await step('back');
    await go({ kind: 'all' });
    // As in browsers, opening something else removes the entries ahead.
    expect(usable('forward')).toBe(false);
    expect(await step('back')).toBe(first!.id);
  });

  it('are as fast as they are pressed', async () => {
    const article = await read(0);
    await go(feed(0));
    await go(feed(1));
    await go({ kind: 'all' });
    await step('back');
    await step('forward');
    act('back');
    act('back');
    await vi.dynamicImportSettled();
    act('back');
    await settle();
    expect([shown(), reading.article?.id, list.selected]).toEqual(['unread', article, article]);
    await step('forward');
    await step('forward');
    expect(await step('forward')).toBe('all');
  });

  it('go through searches, but not through empty ones', async () => {
    await go({ kind: 'all' });
    openSearch();
    leaveSearch();
    expect(await step('back')).toBe('unread');
    await step('forward');
    showSearch('wheat');
    await settle();
    const found = await read(1);
    await go(feed(0));
    expect(await step('back')).toBe('wheat');
    expect([search.text, reading.article?.id, list.selected]).toEqual(['wheat', found, found]);
    leaveSearch();
    await settle();
    expect([shown(), await step('back')]).toEqual(['all', 'wheat']);
    expect(await step('back')).toBe('all');
    expect(await step('back')).toBe('unread');
    expect(usable('back')).toBe(false);
  });

  it('return from an empty search to the list behind it', async () => {
    await go({ kind: 'today' });
    await go(feed(0));
    const article = await read(0);
    openSearch();
    expect(await step('back')).toBe((feed(0) as { id: number }).id);
    expect([list.searching, reading.article?.id]).toEqual([false, article]);
    showSearch('wheat');
    await settle();
    escapeSearch();
    expect(await step('back')).toBe((feed(0) as { id: number }).id);
    expect(list.searching).toBe(false);
    expect(await step('back')).toBe('today');
    visited.forget();
    openSearch();
    expect(await step('back')).toBe('today');
    expect([list.searching, usable('back')]).toEqual([false, false]);
  });

  it('do not go through an empty search after another search', async () => {
    showSearch('wheat');
    await settle();
    showSearch('rye');
    await settle();
    escapeSearch();
    expect(await step('back')).toBe('wheat');
    expect(usable('forward')).toBe(false);
  });

  it('skip feeds that are gone', async () => {
    const gone = library.feeds[0]!;
    await go({ kind: 'feed', id: gone.id });
    await go({ kind: 'all' });
    void unsubscribe([gone]);
    await settle();
    expect(await step('back')).toBe('unread');
    expect(await step('forward')).toBe('all');
  });

  it('close an article that is gone', async () => {
    const article = await read(0);
    await go(feed(0));
    (test.core as TestCore).refused = { command: 'open_article', code: 'not_found' };
    expect(await step('back')).toBe('unread');
    expect([article > 0, reading.id, reading.error]).toEqual([true, null, null]);
  });

  it('return from an article of another list', async () => {
    const first = await read(0);
    const other = (list.rows[5] as ArticleRow).id;
    await go(feed(0));
    const id = list.indexOf(other) < 0 ? other : first;
    void openArticle(id);
    await settle();
    expect([reading.article?.id, reading.article?.read]).toEqual([id, true]);
    expect(shown()).toBe(reading.article?.feed_id);
    await step('back');
    expect([shown(), reading.id]).toEqual([(feed(0) as { id: number }).id, null]);
    await step('forward');
    expect(reading.article?.id).toBe(id);
  });

  it('pass the list of an article in a window for one pane', async () => {
    layout.width = 600;
    const article = await read(0);
    layout.visiblePane = 'article';
    expect(await step('back')).toBe('unread');
    expect([layout.visiblePane, usable('back'), usable('forward')]).toEqual(['list', false, true]);
    await step('forward');
    expect([layout.visiblePane, reading.id]).toEqual(['article', article]);
    await go(feed(0));
    await step('back');
    expect([shown(), layout.visiblePane]).toEqual(['unread', 'article']);
  });

  it('show the article again that was just left in a window for one pane', async () => {
    await go(feed(0));
    await step('back');
    layout.width = 600;
    const article = await read(0);
    layout.visiblePane = 'article';
    await step('back');
    expect([shown(), layout.visiblePane]).toEqual(['unread', 'list']);
    await step('forward');
    expect([shown(), layout.visiblePane, reading.id]).toEqual(['unread', 'article', article]);
    expect(await step('forward')).toBe((feed(0) as { id: number }).id);
  });

  it('are bounded', async () => {
    for (let n = 0; n < 150; n++) {
      list.source = feed(n % 2);
      visited.leave();
    }
    let steps = 0;
    for (; usable('back'); steps++) await step('back');
    expect(steps).toBe(99);
  });

  it('are buttons of the mouse, and the web view never navigates', async () => {
    await go(feed(0));
    const press = (button: number) => {
      const event = { button, preventDefault: vi.fn() };
      mouseup(event as unknown as MouseEvent);
      return event.preventDefault;
    };
    expect(press(0)).not.toHaveBeenCalled();
    expect(press(3)).toHaveBeenCalled();
    await settle();
    expect(shown()).toBe('unread');
    press(4);
    await settle();
    expect(shown()).toBe((feed(0) as { id: number }).id);
  });
});
