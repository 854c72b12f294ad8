// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { readingHint } from './reading-hint';
import { settings } from './settings.svelte';

const before = settings.value;
afterEach(() => {
  settings.value = before;
});

it('names the keys that are set', () => {
  expect(readingHint()).toBe('J and K move between articles; Space scrolls.');
  settings.value = { ...before, keys: { next: ['ArrowDown'], previous: ['ArrowUp'], read_on: ['Ctrl+D'] } };
  expect(readingHint()).toBe('↓ and ↑ move between articles; Ctrl+D scrolls.');
});

it('does not name a key that has another action', () => {
  // There "k" marks all as read.
  settings.value = { ...before, key_preset: 'net_news_wire' };
  expect(readingHint()).toBe('');
});
