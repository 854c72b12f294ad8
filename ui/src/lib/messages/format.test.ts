import { expect, it } from 'vitest';
import { fullDate, mediumDate, readingTime } from './format';

it('keeps the time and its AM on one line', () => {
  const at = new Date(2026, 10, 27, 0, 23).getTime();
  for (const text of [fullDate(at), mediumDate(at)]) expect(text).not.toMatch(/\d [AP]M/);
});

it('says a long reading time in hours', () => {
  expect([2, 119, 120, 1322].map((minutes) => readingTime(minutes))).toEqual(['2 min', '119 min', '2 hr', '22 hr']);
  expect([2, 1322].map((minutes) => readingTime(minutes, 'long'))).toEqual(['2 minutes', '22 hours']);
});
