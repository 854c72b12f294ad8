import { describe, expect, it } from 'vitest';
import { elementHeight, scrolledTo, seat, type Seat } from './scroll-space';

const TALL = 10_000;
const TOTAL = 1_000_000;
const HEIGHT = 500;
const y = ({ scrollTop, shift }: Seat) => scrollTop + shift;

describe('a list taller than an element can be', () => {
  it('scrolls normally while it is not', () => {
    expect(elementHeight(9000, TALL)).toBe(9000);
    expect(seat(8000, 9000, HEIGHT, TALL)).toEqual({ scrollTop: 8000, shift: 0 });
    expect(scrolledTo(10, { scrollTop: 8000, shift: 0 }, 9000, HEIGHT, TALL)).toEqual({ scrollTop: 10, shift: 0 });
  });

  it('has both ends', () => {
    expect(seat(0, TOTAL, HEIGHT, TALL)).toEqual({ scrollTop: 0, shift: 0 });
    const end = seat(TOTAL - HEIGHT, TOTAL, HEIGHT, TALL);
    expect(end.scrollTop).toBe(TALL - HEIGHT);
    expect(y(end)).toBe(TOTAL - HEIGHT);
  });

  it('scrolls by equal steps from one end to the other', () => {
    let at = seat(0, TOTAL, HEIGHT, TALL);
    for (let steps = 0; y(at) < TOTAL - HEIGHT; steps++) {
      expect(steps).toBeLessThan(6000);
      const before = y(at);
      const scrollTop = Math.min(TALL - HEIGHT, at.scrollTop + 200);
      at = scrolledTo(scrollTop, at, TOTAL, HEIGHT, TALL);
      expect(y(at) - before).toBeCloseTo(Math.min(200, TOTAL - HEIGHT - before), -1);
    }
  });

  it('jumps to the same share of the list', () => {
    const at = scrolledTo((TALL - HEIGHT) / 2, seat(0, TOTAL, HEIGHT, TALL), TOTAL, HEIGHT, TALL);
    expect(y(at)).toBeCloseTo((TOTAL - HEIGHT) / 2, 3);
    expect(y(scrolledTo(0, at, TOTAL, HEIGHT, TALL))).toBe(0);
  });
});
