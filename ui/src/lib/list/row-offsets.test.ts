import { describe, expect, it } from 'vitest';
import { alike, RowOffsets } from './row-offsets';

function rows(count: number, height: (i: number) => number = () => 100): RowOffsets {
  const offsets = new RowOffsets();
  offsets.set(count, height);
  return offsets;
}

describe('row offsets', () => {
  it('are empty for an empty list', () => {
    const empty = rows(0);
    expect(empty.total).toBe(0);
    expect(empty.at(500)).toBe(0);
    expect(empty.window(0, 800, 5)).toEqual({ start: 0, end: 0 });
  });

  it('add up rows of two heights', () => {
    const offsets = rows(4, (i) => (i % 2 ? 80 : 100));
    expect(offsets.total).toBe(360);
    expect([0, 1, 2, 3].map((i) => offsets.top(i))).toEqual([0, 100, 180, 280]);
  });

  it('find the row at every height', () => {
    const offsets = rows(4, (i) => (i % 2 ? 80 : 100));
    for (let y = 0; y < offsets.total; y++) {
      const i = offsets.at(y);
      expect(offsets.top(i)).toBeLessThanOrEqual(y);
      expect(offsets.bottom(i)).toBeGreaterThan(y);
    }
    expect(offsets.at(10_000)).toBe(3);
    expect(offsets.at(-5)).toBe(0);
  });

  it('select a screen of rows with overscan, however long the list', () => {
    const offsets = rows(100_000);
    const { start, end } = offsets.window(5_000_000, 800, 6);
    expect(start).toBe(49_994);
    expect(end - start).toBeLessThan(30);
    expect(offsets.window(offsets.total, 800, 6).end).toBe(100_000);
  });

  it('are extended when a page is appended', () => {
    const offsets = rows(200);
    offsets.set(400, (i) => (i < 200 ? Number.NaN : 50), 200);
    expect(offsets.total).toBe(200 * 100 + 200 * 50);
    expect(offsets.top(200)).toBe(20_000);
  });

  it('shrink with the list', () => {
    const offsets = rows(10);
    offsets.set(3, () => 10);
    expect(offsets.total).toBe(30);
    expect(offsets.at(1000)).toBe(2);
  });

  it('reveal a row with a margin, and do not scroll to a visible one', () => {
    const offsets = rows(100);
    expect(offsets.reveal(5, 300, 600, 20)).toBe(300);
    expect(offsets.reveal(2, 300, 600, 20)).toBe(180);
    expect(offsets.reveal(10, 300, 600, 20)).toBe(520);
    expect(offsets.reveal(0, 300, 600, 20)).toBe(0);
  });
});

describe('reused offsets', () => {
  const row = (id: number, excerpt = 'x') => ({ id, excerpt, thumbnail: null, title: '', offline_thumbnail: null });

  it('are the common beginning of two lists', () => {
    const rows = [row(1), row(2), row(3)];
    expect(alike(rows, [...rows, row(4)])).toBe(3);
    expect(alike(rows, [row(1), row(2), row(9), row(3)])).toBe(2);
    expect(alike(rows, [row(1), row(2, ''), row(3)])).toBe(1);
    expect(alike([], rows)).toBe(0);
  });

  it('keep their values', () => {
    const made = new RowOffsets();
    made.set(2, () => 10);
    const further = made.further();
    further.set(4, () => 5, 2);
    expect([further.length, further.top(2), further.total]).toEqual([4, 20, 30]);
  });
});
