import { expect, it } from 'vitest';
import { fullDate, mediumDate } from './format';

it('keeps the time and its AM on one line', () => {
  const at = new Date(2026, 10, 27, 0, 23).getTime();
  for (const text of [fullDate(at), mediumDate(at)]) expect(text).not.toMatch(/\d [AP]M/);
});
