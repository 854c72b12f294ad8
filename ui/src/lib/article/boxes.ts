/** What may be wider than the page scrolls in a box of its own, which the keyboard reaches where there is something to scroll. */

/** Puts tables and large formulas into boxes; code is one by itself. */
export function scrollBoxes(root: ParentNode): void {
  for (const wide of root.querySelectorAll('table, math[display="block"]')) {
    if (wide.parentElement?.closest('table, math, .gl-scroll')) continue;
    const box = wide.ownerDocument.createElement('div');
    box.className = 'gl-scroll';
    wide.replaceWith(box);
    box.append(wide);
  }
}

/** More boxes than this nobody goes through by keyboard; measuring them would hold the window up. */
const MOST = 500;

/** Lets the Tab key come to boxes with something to scroll. */
export function reachBoxes(page: Document, named: string): void {
  const boxes = [...page.querySelectorAll<HTMLElement>('.gl-scroll, pre')].slice(0, MOST);
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
