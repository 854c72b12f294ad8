/**
 * The context menu of articles and comments. WebKit calls no listener inside their frames, so the shell reports where a
 * menu was requested, and the window looks up what is there.
 */
import { parsePageActionKind } from '../article/page-actions';
import { call } from '../ipc';
import type { Article, WindowPoint } from '../ipc';
import { t } from '../messages';
import { dialogs } from './dialogs.svelte';
import { toasts } from './toasts.svelte';

export type PageTarget = {
  /** Where the menu opens, in the window. */
  readonly at: { readonly x: number; readonly y: number };
  readonly page: Document;
  /** Whether it is the article, not its comments. */
  readonly isArticle: boolean;
  /** The address of the link. */
  readonly link: string | null;
  readonly image: HTMLImageElement | null;
  /** The selected text. */
  readonly words: string;
};

const isFrame = (element: Element | null): element is HTMLIFrameElement => element instanceof HTMLIFrameElement;

/** Returns what is at a point, or at the focus if the point is outside the window: the key for menus has no place. */
export function targetAt(point: WindowPoint): PageTarget | null {
  const byKey = point.x < 0 || point.y < 0;
  const frame = byKey ? document.activeElement : document.elementFromPoint(point.x, point.y);
  const page = isFrame(frame) ? frame.contentDocument : null;
  if (!isFrame(frame) || !page) return ownSelection(point);
  const box = frame.getBoundingClientRect();
  const element = byKey ? page.activeElement : page.elementFromPoint(point.x - box.left, point.y - box.top);
  const place = element?.getBoundingClientRect();
  const anchor = element?.closest<HTMLAnchorElement>('a[href]') ?? null;
  const href = anchor?.getAttribute('href') ?? '';
  const own = href.startsWith('#') || parsePageActionKind(href) !== null;
  const image = element?.closest('img') ?? anchor?.querySelector('img') ?? null;
  return {
    at: byKey ? { x: box.left + (place?.left ?? 0), y: box.top + (place?.bottom ?? 0) } : point,
    page,
    isArticle: frame.closest('main[data-pane="article"]') !== null && page.querySelector('.gl-body') !== null,
    link: anchor && !own ? anchor.href : null,
    image: image && !image.classList.contains('gl-off') ? image : null,
    words: page.getSelection()?.toString().trim() ?? '',
  };
}

/** Returns the selection in the window itself, such as in the details of an error. */
function ownSelection(at: WindowPoint): PageTarget | null {
  const words = document.getSelection()?.toString().trim() ?? '';
  return words === '' ? null : { at, page: document, isArticle: false, link: null, image: null, words };
}

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

class PageMenuState {
  target = $state.raw<PageTarget | null>(null);

  request(point: WindowPoint): void {
    dialogs.closeMenus();
    this.target = targetAt(point);
  }
}

export const pageMenu = new PageMenuState();
