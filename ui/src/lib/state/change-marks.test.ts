import { afterEach, expect, test } from 'vitest';
import { ChangeMarks } from './change-marks';
import { changes } from './changes.svelte';

/** Returns a page with this number of changes, and the numbers of those that are marked as the current one. */
function page(count: number) {
  const scrolled: number[] = [];
  const marks = Array.from({ length: count }, (_, number) => {
    const classes = new Set<string>();
    return {
      classList: { add: (name: string) => classes.add(name), remove: (name: string) => classes.delete(name) },
      scrollIntoView: () => scrolled.push(number),
      classes,
    };
  });
  const current = () => marks.flatMap(({ classes }, number) => (classes.has('gl-here') ? [number] : []));
  return { doc: { querySelectorAll: () => marks } as unknown as Document, current, scrolled };
}

afterEach(() => {
  changes.place = -1;
  changes.count = null;
});

test('a comparison shows its first change, and goes from one to the next, around the end', () => {
  const marks = new ChangeMarks();
  const { doc, current, scrolled } = page(3);
  marks.setPage(doc);
  expect([changes.count, changes.place, current()]).toEqual([3, 0, [0]]);
  marks.go(1);
  marks.go(1);
  marks.go(1);
  expect([changes.place, current()]).toEqual([0, [0]]);
  marks.go(-1);
  expect([changes.place, current()]).toEqual([2, [2]]);
  expect(scrolled).toEqual([0, 1, 2, 0, 2]);
});

test('a comparison without changes, or an article, has no change to go to', () => {
  const marks = new ChangeMarks();
  marks.setPage(page(0).doc);
  marks.go(1);
  expect([changes.count, changes.place]).toEqual([0, -1]);
  marks.setPage(page(2).doc);
  marks.setPage(null);
  marks.go(1);
  expect(changes.place).toBe(0);
});
