/** Places of images in the text: one that is taller than some lines is a block of its own, as in a figure. */
import { isBlankText, isBlock } from './clean-body';

/** CSS pixels: lower images are icons, badges or formulas in a line. */
const TALL = 96;

/** Maximum number of neighbours of an image that are looked at: a line may have tens of thousands. */
const MAX_NEIGHBOURS = 50;

/** Whether an element only wraps an image. */
const isWrapper = (element: Element): boolean =>
  !isBlock(element) &&
  element.childNodes.length <= MAX_NEIGHBOURS &&
  isBlankText(element.textContent) &&
  element.querySelectorAll('img').length === 1;

/** Whether an element has images only. */
const isRow = (element: Element): boolean =>
  /^(?:P|DIV)$/.test(element.nodeName) &&
  element.childNodes.length <= MAX_NEIGHBOURS &&
  isBlankText(element.textContent);

function neighbours(box: Element): { text: boolean; image: boolean } {
  const found = { text: false, image: false };
  for (const way of ['previousSibling', 'nextSibling'] as const) {
    let node = box[way];
    for (let count = 0; count < MAX_NEIGHBOURS && node && node.nodeName !== 'BR' && !isBlock(node); count++) {
      found.text ||= (node.nodeType === 1 || node.nodeType === 3) && !isBlankText(node.textContent);
      found.image ||=
        node.nodeName === 'IMG' || (node.nodeType === 1 && (node as Element).querySelector('img') !== null);
      node = node[way];
    }
  }
  return found;
}

/** Makes an image of this size a block, unless it belongs to a row of images. */
export function placeImage(image: HTMLImageElement, width: number, height: number): void {
  const wanted = Number(image.getAttribute('width'));
  const shown = Number(image.getAttribute('height')) || (wanted && width ? (height * wanted) / width : height);
  if (shown < TALL || image.closest('figure, dt, table:not(.gl-layout), .gl-poster, .gl-block')) return;
  let box: Element = image;
  while (box.parentElement && isWrapper(box.parentElement)) box = box.parentElement;
  const { text, image: other } = neighbours(box);
  if (other && !text) {
    image.classList.add('gl-tall');
    const row = box.parentElement;
    if (row && isRow(row)) row.classList.add('gl-row');
    return;
  }
  // Line breaks after it would be blank lines.
  const next = (): ChildNode | null => box.nextSibling;
  for (
    let node = next();
    node?.nodeName === 'BR' || (node?.nodeType === 3 && isBlankText(node.nodeValue));
    node = next()
  )
    node.remove();
  box.classList.add('gl-block');
}

/** Places the images whose size is known before they are loaded. */
export function placeSized(root: ParentNode): void {
  for (const image of root.querySelectorAll<HTMLImageElement>('img[width][height]')) placeImage(image, 0, 0);
}
