import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import { openWindow } from '../../../tests/window';
import type { CommandName, ServerAccount } from '../ipc';
import { accounts } from './accounts.svelte';
import { feedHeaders } from './feed-header.svelte';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { showSearch } from './navigation';
import { search } from './search.svelte';
import { restart } from './start';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
  on: (name: never, handler: never) => {
    const stop = test.core?.on(name, handler);
    return () => void stop?.then((end) => end());
  },
}));

let close: () => Promise<void>;

beforeEach(async () => {
  test.core = await TestCore.open();
  close = await openWindow(test.core);
  vi.stubGlobal('document', { activeElement: null });
  vi.stubGlobal('addEventListener', () => undefined);
});

afterEach(() => close());

it('shows nothing of the library before', async () => {
  const settle = () => (test.core as TestCore).settle();
  const feed = library.feeds[0]!.id;
  void list.show({ kind: 'feed', id: feed });
  await settle();
  expect(feedHeaders.of(feed)).not.toBeNull();
  accounts.list = [{ id: 1, name: 'Mill' } as ServerAccount];
  search.categories = [{ name: 'boats', articles: 3 }];
  showSearch('wheat', false);
  await settle();
  expect([list.searching, search.shownQuery]).toEqual([true, 'wheat']);

  void restart();
  await settle();
  expect([list.source, list.searching, list.status]).toEqual([{ kind: 'unread' }, false, 'ready']);
  expect([search.text, search.shownQuery, search.categories, search.hits.size]).toEqual(['', '', [], 0]);
  expect([feedHeaders.of(feed), accounts.list]).toEqual([null, null]);
});
