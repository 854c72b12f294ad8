import { expect, it } from 'vitest';
import { clicked, NONE, pressed, retained, type Selection } from './multi-selection';

const IDS = [1, 2, 3, 4, 5];
const PLAIN = { ctrlKey: false, metaKey: false, shiftKey: false };
const SHIFT = { ...PLAIN, shiftKey: true };
const CTRL = { ...PLAIN, ctrlKey: true };
const selected = (selection: Selection | null) => [...(selection?.selected ?? [])].toSorted((a, b) => a - b);

it('clicks select one, add one with Ctrl, and a range with Shift', () => {
  const one = clicked(NONE, IDS, 2, PLAIN);
  expect(selected(one)).toEqual([2]);
  expect(selected(clicked(one, IDS, 4, SHIFT))).toEqual([2, 3, 4]);
  const two = clicked(one, IDS, 5, CTRL);
  expect(selected(two)).toEqual([2, 5]);
  expect(selected(clicked(two, IDS, 2, CTRL))).toEqual([5]);
  expect(selected(clicked(two, IDS, 3, PLAIN))).toEqual([3]);
});

it('keys move, extend, toggle, select all, and clear', () => {
  const first = pressed(NONE, IDS, 'ArrowDown', PLAIN)!;
  expect(selected(first)).toEqual([1]);
  const three = pressed(pressed(first, IDS, 'ArrowDown', SHIFT)!, IDS, 'ArrowDown', SHIFT)!;
  expect(selected(three)).toEqual([1, 2, 3]);
  expect(selected(pressed(three, IDS, 'ArrowUp', SHIFT))).toEqual([1, 2]);
  const moved = pressed(first, IDS, 'ArrowDown', CTRL)!;
  expect(selected(moved)).toEqual([1]);
  expect(selected(pressed(moved, IDS, ' ', PLAIN))).toEqual([1, 2]);
  expect(selected(pressed(first, IDS, 'a', CTRL))).toEqual(IDS);
  expect(selected(pressed(three, IDS, 'Escape', PLAIN))).toEqual([]);
  expect(pressed(NONE, IDS, 'Escape', PLAIN)).toBeNull();
  expect(pressed(first, IDS, 'x', PLAIN)).toBeNull();
});

it('feeds that are gone are no longer selected', () => {
  const all = pressed(NONE, IDS, 'a', CTRL)!;
  expect(selected(retained(all, [2, 3]))).toEqual([2, 3]);
});
