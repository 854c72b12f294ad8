/** Finds out where the focus is when a menu closes. */

/** Returns whether the focus has moved out of a menu: to something else, or to another menu. */
export const hasFocusLeft = (menu: string, now: Element | null): boolean =>
  now !== null && now !== now.ownerDocument.body && now.closest('[role=menu]')?.id !== menu;
