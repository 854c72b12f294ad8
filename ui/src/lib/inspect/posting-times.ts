/** Counts posting and reading times for charts. Pure. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Monday is 0. */
const weekdayOf = (date: Date): number => (date.getDay() + 6) % 7;

/** Counts by weekday (Monday first) and hour, in local time. */
export function byWeekdayAndHour(moments: readonly number[]): number[][] {
  const counts = Array.from({ length: 7 }, () => Array<number>(24).fill(0));
  for (const moment of moments) {
    const date = new Date(moment);
    const day = counts[weekdayOf(date)];
    if (day) day[date.getHours()] = (day[date.getHours()] ?? 0) + 1;
  }
  return counts;
}

export const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Returns the index of the maximum; -1 if all are 0. */
export function busiest(counts: readonly number[]): number {
  const most = Math.max(0, ...counts);
  return most === 0 ? -1 : counts.indexOf(most);
}

/** Counts by hour of the day. */
export function byHour(hours: readonly { readonly at: number; readonly articles: number }[]): number[] {
  const counts = Array<number>(24).fill(0);
  for (const { at, articles } of hours) {
    const hour = new Date(at).getHours();
    counts[hour] = (counts[hour] ?? 0) + articles;
  }
  return counts;
}

export type Span = { readonly from: number; readonly count: number };

const midnight = (moment: number): Date => {
  const date = new Date(moment);
  date.setHours(0, 0, 0, 0);
  return date;
};

/** Counts by day, or by week for long periods; days may have 23 to 25 hours. */
export function overTime(
  hours: readonly { readonly at: number; readonly articles: number }[],
  from: number,
  until: number,
): { readonly step: 'day' | 'week'; readonly spans: Span[] } {
  const first = midnight(from);
  const weekly = until - from > 45 * DAY;
  if (weekly) first.setDate(first.getDate() - weekdayOf(first));
  const starts: number[] = [];
  for (const next = first; next.getTime() <= until; next.setDate(next.getDate() + (weekly ? 7 : 1)))
    starts.push(next.getTime());
  const counts = Array<number>(starts.length).fill(0);
  for (const { at, articles } of hours) {
    const place = starts.findLastIndex((start) => start <= at);
    if (place >= 0) counts[place] = (counts[place] ?? 0) + articles;
  }
  return { step: weekly ? 'week' : 'day', spans: starts.map((start, i) => ({ from: start, count: counts[i] ?? 0 })) };
}
