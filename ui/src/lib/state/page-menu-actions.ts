/** The actions of the context menu of articles. */
import { call, type Article } from '../ipc';
import { t } from '../messages';
import { toasts } from './toasts.svelte';

/** Returns the address of an image on the web; `null` for one inside the page. */
export function imageAddress(image: HTMLImageElement, article: Article | null): string | null {
  const address = image.currentSrc || image.dataset['glSrc'] || image.src;
  const web = article?.offline_images.find((offline) => offline.local_url === address)?.url ?? address;
  return /^https?:/.test(web) ? web : null;
}

export async function openLink(address: string, behind: boolean): Promise<void> {
  try {
    await call('open_link', { address, behind });
  } catch (error) {
    toasts.error(error);
  }
}

export async function saveImage(id: number, address: string): Promise<void> {
  try {
    const path = await call('save_image', { id, address });
    if (path) toasts.show(t('page_menu.image_saved', { path }));
  } catch (error) {
    toasts.error(error);
  }
}

/** Clipboards take images as PNG only. The clipboard must be requested at once: web views refuse it later. */
export async function copyImage(id: number, address: string): Promise<void> {
  const png = call('image_data', { id, address }).then(asPng);
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    toasts.show(t('page_menu.image_copied'));
  } catch (error) {
    // The download failed, or the web view refused.
    const cause: unknown = await png.then(() => error).catch((failed: unknown) => failed);
    toasts.error(cause);
  }
}

async function asPng(data: string): Promise<Blob> {
  const image = new Image();
  image.src = data;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no PNG'))), 'image/png'),
  );
}

/** Copies the selection of a page as text and as HTML. */
export async function copySelection(text: string, html: string): Promise<void> {
  try {
    const blob = (content: string, type: string) => new Blob([content], { type });
    await navigator.clipboard.write([
      new ClipboardItem({ 'text/plain': blob(text, 'text/plain'), 'text/html': blob(html, 'text/html') }),
    ]);
  } catch {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      toasts.show(t('toast.copy_failed', { address: text }), { isError: true });
      return;
    }
  }
  toasts.show(t('page_menu.copied'));
}
