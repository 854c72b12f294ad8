import { expect, it } from 'vitest';
import { Typed } from './typed';

const NAMES = ['Automatic', 'Deutsch', 'English', 'Español', 'Français', 'Every day'];

it('finds the name that begins with the letters', () => {
  const typed = new Typed();
  expect(typed.find(NAMES, 0, 'e', 0)).toBe(2);
  expect(typed.find(NAMES, 2, 's', 100)).toBe(3);
  expect(typed.find(NAMES, 3, 'x', 200)).toBe(3);
  // After a pause, a new word.
  expect(typed.find(NAMES, 3, 'F', 2000)).toBe(4);
});

it('goes through the names with the same letter, and knows spaces and marks', () => {
  const typed = new Typed();
  expect([0, 1, 2].map((n) => typed.find(NAMES, [0, 2, 3][n] ?? 0, 'e', n))).toEqual([2, 3, 5]);
  expect(typed.going(100)).toBe(true);
  expect(typed.going(5000)).toBe(false);
  for (const letter of 'every ') typed.find(NAMES, 0, letter, 6000);
  expect(typed.find(NAMES, 0, 'd', 6000)).toBe(5);
  expect(new Typed().find(NAMES, 0, 'É', 0)).toBe(2);
});
