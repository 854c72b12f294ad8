// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { settings } from './settings.svelte';
import { keysPage, printKeys } from './print-keys';

const { call } = vi.hoisted(() => ({ call: vi.fn<(...args: unknown[]) => Promise<void>>(() => Promise.resolve()) }));
vi.mock('../ipc', async (original) => ({ ...(await original<typeof import('../ipc')>()), call }));

const before = settings.value;
afterEach(() => {
  settings.value = before;
});

it('lists the shortcuts that have keys, as they are now', () => {
  const rows = () =>
    [...keysPage().querySelectorAll('li')].map((row) => [row.lastChild?.textContent, row.firstChild?.textContent]);
  expect(rows()).toContainEqual(['Show or hide sidebar', 'F9']);
  settings.value = { ...before, keys: { sidebar: [], zen: ['Ctrl+Alt+Z'] } };
  expect(rows().map(([name]) => name)).not.toContain('Show or hide sidebar');
  expect(rows()).toContainEqual(['Enter or leave focus mode', 'Ctrl Alt Z']);
  expect(rows()).toContainEqual(['Search', '/ or Ctrl Shift F']);
  expect(keysPage().querySelectorAll('h2')).toHaveLength(4);
});

it('has keys from left to right in every language', () => {
  const keys = [...keysPage().querySelectorAll('li span')].flatMap((cell) => [...cell.children]);
  expect(keys.length).toBeGreaterThan(50);
  for (const one of keys) expect(one.getAttribute('dir')).toBe('ltr');
});

it('fills two columns with whole groups', () => {
  const groups = [...keysPage().querySelectorAll('.column')].map((column) =>
    [...column.querySelectorAll('h2')].map(({ textContent }) => textContent),
  );
  expect(groups).toEqual([['Reading'], ['Views', 'Feeds', 'Window']]);
});

it('prints a page without scripts', async () => {
  await printKeys();
  const [command, page] = call.mock.calls[0] as [string, { html: string; print: boolean }];
  expect([command, page.print]).toEqual(['open_article_window', true]);
  expect(page.html).toMatch(/^<!doctype html><html lang="en" dir="ltr"/);
  expect(page.html).toContain('content="default-src &#39;none&#39;;');
  expect(page.html).not.toContain('<script');
});
