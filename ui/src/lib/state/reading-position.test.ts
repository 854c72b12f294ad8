import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reading, type ReadingPlace } from './article.svelte';
import { positionOf, saveRegularly, scrollToPosition } from './reading-position';

/** Returns an element of which 100 pixels are visible. */
const element = (scrollHeight: number, scrollTop = 0) =>
  ({
    scrollHeight,
    clientHeight: 100,
    scrollTop,
    scrollTo({ top }: { top: number }) {
      this.scrollTop = top;
    },
  }) as Element;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a position is a share of what can be scrolled, and an article that fits has none', () => {
  expect(positionOf(element(300, 50))).toBe(0.25);
  expect(positionOf(element(300, 250))).toBe(1);
  expect(positionOf(element(140, 40))).toBe(0);
  const long = element(300);
  scrollToPosition(long, 0.5);
  expect(long.scrollTop).toBe(100);
});

test('a position is saved when it rests, at the latest after five seconds, and at the end', () => {
  const save = vi.spyOn(reading, 'savePosition').mockImplementation(() => undefined);
  let position = 0;
  const place = (): ReadingPlace => ({ id: 1, position });
  const end = saveRegularly(place);
  expect(reading.place).toBe(place);
  const read = (milliseconds: number) => {
    for (let spent = 0; spent < milliseconds; spent += 500) {
      position += 0.01;
      vi.advanceTimersByTime(500);
    }
  };
  read(4500);
  expect(save).toHaveBeenCalledTimes(0);
  read(500);
  expect(save).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(500);
  expect(save).toHaveBeenCalledTimes(2);
  end();
  expect(save).toHaveBeenCalledTimes(3);
  expect(reading.place).toBeNull();
  vi.advanceTimersByTime(5000);
  expect(save).toHaveBeenCalledTimes(3);
});
