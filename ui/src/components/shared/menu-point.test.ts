// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { menuPoint } from './menu-point';

const row = { getBoundingClientRect: () => new DOMRect(100, 50, 300, 20) } as Element;
const at = (part: Partial<MouseEvent>) => {
  const { x, y } = menuPoint(part as MouseEvent, row).getBoundingClientRect();
  return [x, y];
};

it('opens the menu of a row at the pointer, and below the row by a key', () => {
  expect(at({ button: 2, clientX: 210, clientY: 60 })).toEqual([210, 60]);
  expect(at({ button: 0, clientX: 0, clientY: 0 })).toEqual([124, 70]);
  expect(at({ button: 2, clientX: 0, clientY: 0 })).toEqual([124, 70]);
});
