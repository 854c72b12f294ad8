/** Enlarges images of an article. */
import { nearest, zoomImage, zoomable } from '../article/zoom';
import { t } from '../messages';
import { dialogs } from './dialogs.svelte';
import { toasts } from './toasts.svelte';

/** Opens the image with this number, or the nearest one if `number` is null. */
export function openZoom(page: Document, number: number | null): void {
  const shown = zoomable(page);
  const height = page.defaultView?.innerHeight ?? 0;
  const first = number === null ? nearest(shown, height) : shown.findIndex((one) => one.number === number);
  if (first >= 0) dialogs.show({ kind: 'zoom', images: shown.map(({ image }) => zoomImage(image)), first });
  else toasts.show(t('zoom.none'));
}
