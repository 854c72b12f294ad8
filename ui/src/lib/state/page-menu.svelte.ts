/**
 * The context menu of articles and comments. WebKit calls no listener inside their frames, so the shell reports where a
 * menu was requested, and the window looks up what is there.
 */
import { pageActionNumber, parsePageActionKind } from '../article/page-actions';
import { dialogs } from './dialogs.svelte';

/** A place in the window, in CSS pixels. */
type Point = { readonly x: number; readonly y: number };

export type PageTarget = {
  /** Where the menu opens. */
  readonly at: Point;
  readonly page: Document;
  /** Whether it is the article, not its comments. */
  readonly isArticle: boolean;
  /** The address of the link. */
  readonly link: string | null;
  /** The number of the article's category. */
  readonly category: number | null;
  readonly image: HTMLImageElement | null;
  /** The selected text. */
  readonly words: string;
};

const isFrame = (element: Element | null): element is HTMLIFrameElement => element instanceof HTMLIFrameElement;

/** Returns what is at a point, or at the focus if the point is outside the window: the key for menus has no place. */
function targetAt(point: Point): PageTarget | null {
  const byKey = point.x < 0 || point.y < 0;
  const frame = byKey ? focusedFrame() : document.elementFromPoint(point.x, point.y);
  const page = isFrame(frame) ? frame.contentDocument : null;
  if (!isFrame(frame) || !page) return ownSelection(point);
  const box = frame.getBoundingClientRect();
  const element = byKey ? page.activeElement : page.elementFromPoint(point.x - box.left, point.y - box.top);
  // The page itself reaches far below the window.
  const place = element === page.body ? null : element?.getBoundingClientRect();
  const anchor = element?.closest<HTMLAnchorElement>('a[href]') ?? null;
  const href = anchor?.getAttribute('href') ?? '';
  const own = href.startsWith('#') || parsePageActionKind(href) !== null;
  const image = element?.closest('img') ?? anchor?.querySelector('img') ?? null;
  return {
    at: byKey ? { x: box.left + (place?.left ?? 0), y: box.top + (place?.bottom ?? 0) } : point,
    page,
    isArticle: frame.closest('main[data-pane="article"]') !== null && page.querySelector('.gl-body') !== null,
    link: anchor && !own ? anchor.href : null,
    category: parsePageActionKind(href) === 'category' ? pageActionNumber(href) : null,
    image: image && !image.classList.contains('gl-off') ? image : null,
    words: page.getSelection()?.toString().trim() ?? '',
  };
}

/** Returns the frame with the focus. The article's pane has it in place of its frame. */
function focusedFrame(): Element | null {
  const focused = document.activeElement;
  return (focused?.matches('main[data-pane="article"]') && focused.querySelector('iframe')) || focused;
}

/** Returns the selection in the window itself, such as in the details of an error. */
function ownSelection(at: Point): PageTarget | null {
  const words = document.getSelection()?.toString().trim() ?? '';
  return words === '' ? null : { at, page: document, isArticle: false, link: null, category: null, image: null, words };
}

class PageMenuState {
  target = $state.raw<PageTarget | null>(null);

  request(point: Point): void {
    dialogs.closeMenus();
    this.target = targetAt(point);
  }

  /** WebKit requests a menu. With the menu key it also does so after an element outside frames has shown its own menu. */
  requestedByWebKit(point: Point): void {
    const byKey = point.x < 0 || point.y < 0;
    if (!byKey || isFrame(document.activeElement)) this.request(point);
  }
}

export const pageMenu = new PageMenuState();
