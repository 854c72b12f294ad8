import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { layout } from './layout.svelte';
import { settings } from './settings.svelte';

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: () => Promise.resolve(),
}));

const before = settings.value;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { activeElement: null });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  settings.value = before;
  layout.width = 1280;
  layout.visiblePane = 'list';
  layout.isArticleOpen = () => true;
});

it('is classic only if both panes fit', () => {
  layout.nextArrangement();
  expect([settings.value.arrangement, layout.classic, layout.onePane]).toEqual(['classic', true, false]);
  layout.width = 800;
  expect([layout.classic, layout.onePane]).toEqual([false, true]);
  layout.nextArrangement();
  expect(settings.value.arrangement).toBe('widescreen');
});

it('shows the article below a magazine list in the classic arrangement', () => {
  layout.setListLayout('magazine');
  expect(layout.onePane).toBe(true);
  layout.setArrangement('classic');
  expect([layout.classic, layout.onePane, layout.articleVisible]).toEqual([true, false, true]);
});

it('shows the list again when the layout is changed in focus mode', () => {
  layout.zen = true;
  layout.nextList();
  expect([settings.value.list_layout, layout.zen]).toEqual(['magazine', false]);
});

it('shows the hidden sidebar above the list until another pane takes the focus', () => {
  for (const name of ['addEventListener', 'removeEventListener', 'requestAnimationFrame']) vi.stubGlobal(name, () => 0);
  layout.toggleSidebar();
  expect([settings.value.hide_sidebar, layout.drawered, layout.drawer]).toEqual([true, true, false]);
  layout.focus('sidebar');
  expect(layout.drawer).toBe(true);
  layout.focus('list');
  expect(layout.drawer).toBe(false);
  layout.toggleSidebar();
  expect([settings.value.hide_sidebar, layout.drawered]).toEqual([false, false]);
});

it('shows the article again when the sidebar above it closes', () => {
  for (const name of ['addEventListener', 'removeEventListener', 'requestAnimationFrame']) vi.stubGlobal(name, () => 0);
  layout.width = 640;
  layout.focus('article');
  layout.focus('sidebar');
  layout.leaveSidebar();
  expect([layout.drawer, layout.visiblePane]).toEqual([false, 'article']);
  layout.focus('list');
  layout.toggleSidebar();
  layout.toggleSidebar();
  expect([layout.drawer, layout.visiblePane]).toEqual([false, 'list']);
});

it('never shows an empty article pane in place of the list', () => {
  for (const name of ['addEventListener', 'removeEventListener', 'requestAnimationFrame']) vi.stubGlobal(name, () => 0);
  layout.isArticleOpen = () => false;
  vi.stubGlobal('document', { activeElement: { closest: () => ({ dataset: { pane: 'article' } }) } });
  layout.setListLayout('magazine');
  expect([layout.onePane, layout.visiblePane]).toEqual([true, 'list']);
  layout.focus('article');
  expect(layout.visiblePane).toBe('list');
  layout.isArticleOpen = () => true;
  layout.setListLayout('magazine');
  expect(layout.visiblePane).toBe('article');
});
