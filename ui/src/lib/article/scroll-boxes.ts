/** Scrollable boxes for content wider than the page, reachable by keyboard if they overflow. */

/** Wraps tables and large formulas in boxes; code blocks scroll on their own. */
export function scrollBoxes(root: ParentNode): void {
  for (const wide of root.querySelectorAll('table, math[display="block"]')) {
    if (wide.matches('.gl-layout') || wide.parentElement?.closest('table:not(.gl-layout), math, .gl-scroll')) continue;
    const box = wide.ownerDocument.createElement('div');
    box.className = 'gl-scroll';
    wide.replaceWith(box);
    box.append(wide);
  }
}

/** Maximum number of boxes made focusable: measuring more would block the window. */
const MAX_BOXES = 500;

/** Makes overflowing boxes focusable. */
export function makeBoxesFocusable(page: Document, named: string): void {
  const boxes = [...page.querySelectorAll<HTMLElement>('.gl-scroll, pre')].slice(0, MAX_BOXES);
  const wide = boxes.map((box) => box.scrollWidth > box.clientWidth + 1);
  boxes.forEach((box, at) => {
    if (wide[at]) {
      box.tabIndex = 0;
      box.setAttribute('role', 'region');
      box.setAttribute('aria-label', box.querySelector('caption')?.textContent?.trim() || named);
    } else if (box.hasAttribute('tabindex'))
      for (const name of ['tabindex', 'role', 'aria-label']) box.removeAttribute(name);
  });
}
