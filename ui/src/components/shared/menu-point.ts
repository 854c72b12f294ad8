/** Where the menu of a row opens. */
import type { Point } from './menu-item';

/** CSS pixels between the side of a row and its menu. */
const INSET = 24;

/** Returns the place of the pointer, or a place below the row if a key asked for the menu. */
export function menuPoint(event: MouseEvent, row: Element): Point {
  const { left, bottom } = row.getBoundingClientRect();
  const byMouse = event.button === 2 && event.clientX + event.clientY > 0;
  const [x, y] = byMouse ? [event.clientX, event.clientY] : [left + INSET, bottom];
  return { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
}
