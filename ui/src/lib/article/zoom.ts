/**
 * Images that can be enlarged: each gets a link around it, or in its corner if it is inside a link of the article.
 */
import { pageActionLink } from './page-actions';

export type ZoomImage = {
  readonly src: string;
  readonly srcset: string;
  readonly alt: string;
  readonly caption: string;
  /** A text below the caption: the image's title, which in comics may contain a joke, or else its alternative text. */
  readonly title: string;
};

/** CSS pixels: smaller images are icons in the text. */
const SMALL = 48;

const isSmall = (image: Element): boolean =>
  ['width', 'height'].some((name) => {
    const size = Number.parseInt(image.getAttribute(name) ?? '', 10);
    return size > 0 && size < SMALL;
  });

/** Only images that the page's policy allows can be enlarged. */
const isShown = (image: Element): boolean =>
  !image.classList.contains('gl-off') && (image.hasAttribute('src') || image.hasAttribute('data-gl-src'));

/** Stores an image's number in the element: the list may change, for example when formulas replace images. */
const NUMBER = 'data-gl-zoom';

/** Adds the links; `named` returns the label of an image's link. */
export function zoomLinks(root: ParentNode, token: string, named: (alt: string) => string): void {
  root.querySelectorAll('img').forEach((image, number) => {
    image.setAttribute(NUMBER, String(number));
    if (!isShown(image) || isSmall(image) || image.closest('button, summary')) return;
    const around = image.closest('a');
    const link = image.ownerDocument.createElement('a');
    link.setAttribute('href', pageActionLink(token, 'zoom', number));
    link.setAttribute('aria-label', named(image.getAttribute('alt')?.trim() ?? ''));
    if (!around) {
      link.className = 'gl-zoom';
      image.replaceWith(link);
      link.append(image);
    } else if (around.querySelectorAll('img').length === 1 && around.textContent?.trim() === '') {
      const box = image.ownerDocument.createElement('span');
      box.className = 'gl-linked';
      link.className = 'gl-corner';
      around.replaceWith(box);
      box.append(around, link);
    }
  });
}

/** Returns the images that can be enlarged, with their numbers. */
export function zoomable(page: Document): { number: number; image: HTMLImageElement }[] {
  const body = page.querySelector('.gl-body');
  if (!body) return [];
  return [...body.querySelectorAll<HTMLImageElement>(`img[${NUMBER}]`)]
    .map((image) => ({ number: Number(image.getAttribute(NUMBER)), image }))
    .filter(({ image }) => isShown(image) && !isSmall(image));
}

export function zoomImage(image: HTMLImageElement): ZoomImage {
  const alt = image.alt.trim();
  const title = image.title.trim() || alt;
  const caption = image.closest('figure')?.querySelector('figcaption')?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  return {
    src: image.dataset['glSrc'] ?? image.getAttribute('src') ?? '',
    srcset: image.dataset['glSrcset'] ?? image.getAttribute('srcset') ?? '',
    alt,
    caption,
    title: title === caption ? '' : title,
  };
}

/** Returns the index of the first image in the visible part, else of the one nearest to its middle. */
export function nearest(shown: readonly { image: HTMLImageElement }[], height: number): number {
  const visible = shown.findIndex(({ image }) => {
    const { top, bottom } = image.getBoundingClientRect();
    // An edge of the image that was scrolled past does not count.
    return bottom > top && Math.min(bottom, height) - Math.max(top, 0) >= Math.min(SMALL, bottom - top);
  });
  if (visible >= 0) return visible;
  let best = -1;
  let least = Infinity;
  shown.forEach(({ image }, at) => {
    const box = image.getBoundingClientRect();
    const middle = height / 2;
    const away = box.top > middle ? box.top - middle : box.bottom < middle ? middle - box.bottom : 0;
    if (away < least) [best, least] = [at, away];
  });
  return best;
}
