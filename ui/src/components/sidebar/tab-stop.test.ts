import { expect, test } from 'vitest';
import { successor } from '../../lib/successor';
import { TabStop } from './tab-stop';

const ROWS = ['unread', 'folder-1', 'feed-1', 'feed-2', 'feed-3'];
const without = (...keys: string[]) => ROWS.filter((key) => !keys.includes(key));

test('a removed row is replaced by the next one that stays, else by the previous one', () => {
  expect(successor('feed-1', ROWS, without('feed-1'))).toBe('feed-2');
  expect(successor('folder-1', ROWS, without('folder-1', 'feed-1', 'feed-2'))).toBe('feed-3');
  expect(successor('feed-3', ROWS, without('feed-2', 'feed-3'))).toBe('feed-1');
  expect(successor('feed-1', ROWS, [])).toBeUndefined();
  expect(successor('feed-9', ROWS, ROWS)).toBeUndefined();
});

test('a removed row passes the tab stop on, and gets it back when it is restored', () => {
  const stop = new TabStop();
  expect(stop.update(ROWS, 'feed-2')).toBeUndefined();
  expect(stop.update(without('feed-2'), 'feed-2')).toBe('feed-3');
  // Other rows change meanwhile.
  expect(stop.update(without('feed-1', 'feed-2'), 'feed-3')).toBeUndefined();
  expect(stop.update(ROWS, 'feed-3')).toBe('feed-2');
  expect(stop.update(ROWS, 'feed-2')).toBeUndefined();
});

test('rows that were removed one after the other get the tab stop back one after the other', () => {
  const stop = new TabStop();
  stop.update(ROWS, 'feed-1');
  expect(stop.update(without('feed-1'), 'feed-1')).toBe('feed-2');
  expect(stop.update(without('feed-1', 'feed-2'), 'feed-2')).toBe('feed-3');
  expect(stop.update(without('feed-1'), 'feed-3')).toBe('feed-2');
  expect(stop.update(ROWS, 'feed-2')).toBe('feed-1');
  expect(stop.update(ROWS, 'feed-1')).toBeUndefined();
});

test('a restored row leaves the tab stop where the user moved it', () => {
  const stop = new TabStop();
  stop.update(ROWS, 'feed-2');
  stop.update(without('feed-2'), 'feed-2');
  expect(stop.update(ROWS, 'unread')).toBeUndefined();
  expect(stop.update(ROWS, 'feed-3')).toBeUndefined();
});

test('without rows the tab stop waits for its row', () => {
  const stop = new TabStop();
  stop.update(ROWS, 'feed-2');
  expect(stop.update([], 'feed-2')).toBeUndefined();
  expect(stop.update(ROWS, 'feed-2')).toBeUndefined();
});

test('the end of a search leaves the tab stop where it is', () => {
  const stop = new TabStop();
  stop.update(ROWS, 'unread');
  expect(stop.update(['feed-2'], 'unread', 'oats')).toBe('feed-2');
  expect(stop.update(['feed-2'], 'feed-2', 'oats')).toBeUndefined();
  expect(stop.update(ROWS, 'feed-2')).toBeUndefined();
});
