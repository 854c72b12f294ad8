import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import type { CommandName } from '../ipc';
import { library } from './library.svelte';
import { sidebar } from './sidebar.svelte';
import { renameFeed } from './feeds';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
}));

const core = () => test.core as TestCore;
const found = () => sidebar.tree.flatMap((row) => (row.kind === 'feed' ? [row.feed.title] : []));

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  vi.stubGlobal('document', { activeElement: null });
  test.core = await TestCore.open();
  void library.load();
  await core().settle();
});

afterEach(async () => {
  sidebar.filter = null;
  await core().close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('shows a feed that is renamed out of a search until the text of the search changes', async () => {
  const feed = library.feeds[0];
  if (!feed) throw new Error('there is no feed');
  sidebar.filter = feed.title;
  expect(found()).toContain(feed.title);
  sidebar.rename(`feed-${feed.id}`);
  void renameFeed(feed, 'Spelt');
  await core().settle();
  void library.load();
  await core().settle();
  expect(found()).toContain('Spelt');
  sidebar.endRename();
  expect(found()).toContain('Spelt');
  sidebar.filter = `${feed.title} `;
  expect(found()).toContain('Spelt');
  sidebar.filter = `${feed.title} x`;
  expect(found()).not.toContain('Spelt');
});
