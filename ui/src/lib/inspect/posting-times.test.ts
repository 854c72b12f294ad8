import { describe, expect, it } from 'vitest';
import { busiest, byHour, byWeekdayAndHour, overTime, sum } from './posting-times';

const at = (day: number, hour: number, month = 10) => new Date(2026, month, day, hour, 30).getTime();

describe('posting times', () => {
  it('are counted by weekday and hour, Monday first', () => {
    // 23 November 2026 is a Monday.
    const counts = byWeekdayAndHour([at(23, 9), at(23, 9), at(29, 23)]);
    expect(counts[0]?.[9]).toBe(2);
    expect(counts[6]?.[23]).toBe(1);
    expect(sum(counts.map(sum))).toBe(3);
    expect(busiest(counts.map(sum))).toBe(0);
    expect(busiest([0, 0])).toBe(-1);
  });

  it('are counted by hour of the day', () => {
    const counts = byHour([
      { at: at(23, 9), articles: 2 },
      { at: at(24, 9), articles: 1 },
    ]);
    expect([counts[9], sum(counts)]).toEqual([3, 3]);
  });

  it('are counted by day, and by week for long periods', () => {
    const hours = [
      { at: at(20, 9), articles: 2 },
      { at: at(22, 9), articles: 1 },
    ];
    const days = overTime(hours, at(20, 0), at(22, 12));
    expect([days.step, days.spans.map(({ count }) => count)]).toEqual(['day', [2, 0, 1]]);
    const weeks = overTime(hours, at(1, 0, 7), at(22, 12));
    expect(weeks.step).toBe('week');
    expect(weeks.spans.every(({ from }) => new Date(from).getDay() === 1)).toBe(true);
    expect(weeks.spans.at(-1)?.count).toBe(3);
  });
});
