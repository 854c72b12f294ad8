/** Shows pictures of an article's page large. */
import { nearest, pictureOf, zoomable } from '../article/zoom';
import { t } from '../messages';
import { dialogs } from './dialogs.svelte';
import { toasts } from './toasts.svelte';

/** The picture that was given this number; the nearest one where none is said. */
export function zoomIn(page: Document, number: number | null): void {
  const shown = zoomable(page);
  const height = page.defaultView?.innerHeight ?? 0;
  const first = number === null ? nearest(shown, height) : shown.findIndex((one) => one.number === number);
  if (first >= 0) dialogs.show({ kind: 'zoom', pictures: shown.map(({ image }) => pictureOf(image)), first });
  else toasts.show(t('zoom.none'));
}
