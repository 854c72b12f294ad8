/**
 * Hides a frame's page from screen readers while a dialog is open, or shows it again. WebKit passes `inert` and `aria-hidden` of
 * the window to no frame, and may ignore them on a body.
 */
export function hideFromReaders(page: Document, hidden: boolean): void {
  for (const part of page.body.children) {
    if (hidden) part.setAttribute('aria-hidden', 'true');
    else part.removeAttribute('aria-hidden');
  }
}
