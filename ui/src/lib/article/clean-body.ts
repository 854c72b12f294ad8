/**
 * Removes layout and repetition from an article: a repeated title, blank lines, line numbers beside code, layout tables.
 */
import { repeatsHeading } from '../repeated-title';

const HEADINGS = 'h1, h2, h3, h4, h5, h6';
/** Blocks without a margin: only a blank line separates them. */
const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BODY CENTER DD DIV DT FIGCAPTION FOOTER HEADER LI MAIN NAV SECTION TD TH'.split(' '),
);
/** Blocks with a margin, next to which a blank line is too much. */
const SPACED = new Set('BLOCKQUOTE DETAILS DL FIGURE H1 H2 H3 H4 H5 H6 HR OL P PRE TABLE UL'.split(' '));
/** Elements that count as content in a block without text. */
const CONTENT = 'img, picture, video, audio, hr, math, table, li, ruby, .tex, .tex-block';
/** Elements that show that a single column is not a list of data. */
const PARTS = 'p, div, ul, ol, blockquote, figure, img, br';
const PERMALINK = /^[\s\u200b]*(?:[¶#§⚓]|🔗\ufe0f?)?[\s\u200b]*$/u;
/** Maximum length of the caption in a table with an image, in characters. */
const MAX_CAPTION = 500;

/** Also of spaces that do not break, and signs without width. */
export const isBlankText = (text: string | null): boolean => !/[^\s\p{Cf}]/u.test(text ?? '');

/** Stops at the first word: boxes that contain a whole article are nested. */
function hasNoText(element: Element): boolean {
  const texts = element.ownerDocument.createTreeWalker(element, 4 /* text */);
  while (texts.nextNode()) if (!isBlankText(texts.currentNode.nodeValue)) return false;
  return true;
}

const hasOwnText = ({ childNodes }: Element): boolean =>
  [...childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && !isBlankText(nodeValue));

/** Whether a cell contains line numbers in sequence. */
function hasLineNumbers({ textContent }: Element): boolean {
  const numbers = (textContent ?? '').trim().split(/\s+/).map(Number);
  return numbers.length > 1 && numbers.every((number, at) => number === (numbers[0] ?? 0) + at);
}

export function cleanBody(body: HTMLElement, title: string): void {
  // First, as they would count as links to their headings.
  for (const link of body.querySelectorAll(`:is(${HEADINGS}) a[href*="#"]`)) {
    if (!PERMALINK.test(link.textContent ?? '') || link.querySelector('img')) continue;
    if (link.id === '') link.remove();
    else {
      // Others may lead to it.
      link.replaceChildren();
      link.removeAttribute('href');
    }
  }
  const heading = repeatsHeading(title, body);
  const targets = new Set(
    [...body.querySelectorAll('a[href*="#"]')].map((link) => (link.getAttribute('href') ?? '').split('#')[1]),
  );
  const isTarget = (element: Element): boolean =>
    targets.size > 0 && [element, ...element.querySelectorAll('[id]')].some(({ id }) => id !== '' && targets.has(id));
  if (heading && !isTarget(heading) && !heading.querySelector('img')) heading.remove();
  for (const table of body.querySelectorAll('table')) cleanTable(table);
  for (const link of body.querySelectorAll('figure a:has(div, p)')) {
    // An image with its caption in one link has one text.
    const texts = [...link.querySelectorAll('div, p')].filter(hasOwnText).length;
    if (texts > 1 || (texts > 0 && !link.querySelector('img'))) link.classList.add('gl-card');
  }
  for (const block of [body, ...body.querySelectorAll('div, section, article, main')]) wrapText(block);
  const isBlank = (node: Node): boolean => {
    if (node.nodeName === 'BR') return true;
    if (!(node.nodeName === 'P' || node.nodeName === 'DIV' || /^H[1-6]$/.test(node.nodeName))) return false;
    const element = node as Element;
    return hasNoText(element) && !element.querySelector(CONTENT) && !isTarget(element);
  };
  const blank = [...body.querySelectorAll('p')].filter(isBlank).length;
  // A blank paragraph here and there separates scenes. Many of them are only spacing.
  const separates = blank * 4 < body.querySelectorAll('p').length - blank;
  for (const parent of new Set([...body.querySelectorAll(`br, p, div, ${HEADINGS}`)].map((one) => one.parentNode)))
    if (parent && !isBlank(parent) && !(parent as Element).closest('pre')) cleanLines(parent, isBlank, separates);
}

/** Whether a node begins a line of its own. */
export const isBlock = ({ nodeName }: Node): boolean => BLOCKS.has(nodeName) || SPACED.has(nodeName);

/** Appends nodes one by one: a call has at most 65,536 arguments in WebKit, and an article may have more nodes. */
function appendAll(parent: Node, nodes: Iterable<Node>): void {
  for (const node of [...nodes]) parent.appendChild(node);
}

/** Makes a paragraph of text directly beside blocks with a margin, so that it has the same distance from them. */
function wrapText(parent: Element): void {
  if (![...parent.children].some(({ nodeName }) => SPACED.has(nodeName))) return;
  let run: ChildNode[] = [];
  const end = (): void => {
    if (run.some(({ nodeName, textContent }) => nodeName !== '#comment' && !isBlankText(textContent))) {
      const paragraph = parent.ownerDocument.createElement('p');
      run[0]?.before(paragraph);
      appendAll(paragraph, run);
    }
    run = [];
  };
  for (const node of [...parent.childNodes])
    if (isBlock(node)) end();
    else run.push(node);
  end();
}

/** Removes blank lines beside blocks that have a margin; elsewhere at most one or two in a row stay. */
function cleanLines(parent: Node, isBlank: (node: Node) => boolean, separates: boolean): void {
  let before: Node | null = null;
  let run: Node[] = [];
  const end = (after: Node | null): void => {
    const isEdge = isBlock(parent) && (before === null || after === null);
    // Blocks have their margin below: text before one has only the blank line.
    const isSpaced =
      [before, after].some((node) => node !== null && SPACED.has(node.nodeName)) &&
      (before === null || isBlock(before));
    const isNext = [before, after].some((node) => node !== null && BLOCKS.has(node.nodeName));
    const isScene =
      separates && run.every(({ nodeName }) => nodeName === 'P') && before?.nodeName === 'P' && after?.nodeName === 'P';
    const kept = isScene ? 1 : isEdge || isSpaced ? 0 : isNext ? 1 : 2;
    for (const one of run.slice(kept)) (one as ChildNode).remove();
    run = [];
  };
  for (const node of [...parent.childNodes]) {
    if (isBlank(node)) run.push(node);
    else if (node.nodeType === 3 ? !isBlankText(node.nodeValue) : node.nodeType === 1) {
      if (run.length > 0) end(node);
      before = node;
    }
  }
  if (run.length > 0) end(null);
}

const rowsOf = (table: Element): Element[] =>
  [...table.children].flatMap((part) => (part.localName === 'tr' ? part : [...part.children]));

function cleanTable(table: Element): void {
  const rows = rowsOf(table);
  if (rows.length === 0 || table.querySelector(':scope > caption, :scope > * > tr > th')) return;
  const [first, second] = [...(rows[0]?.children ?? [])];
  if (rows.length === 1 && first && second?.querySelector('pre') && hasLineNumbers(first)) {
    const code = table.ownerDocument.createDocumentFragment();
    appendAll(code, second.childNodes);
    table.replaceWith(code);
    return;
  }
  const isColumn = rows.every((row) => row.children.length <= 1);
  if (!table.querySelector(isColumn ? `table, ${HEADINGS}, ${PARTS}` : `table, ${HEADINGS}`)) return;
  const hasHeading = (part: Element): boolean => part.querySelector(HEADINGS) !== null;
  // A list of data whose columns have headings in place of `th`.
  const [head, ...others] = rows;
  if (!isColumn && head && [...head.children].every(hasHeading) && others.length > 0 && !others.some(hasHeading))
    if (!table.querySelector('table')) return;
  const caption = rows[1]?.textContent?.trim() ?? '';
  const isImage = rows[0]?.querySelector('img') !== null && isBlankText(rows[0]?.textContent ?? '');
  if (rows.length === 2 && isImage && isColumn && caption !== '' && caption.length <= MAX_CAPTION) {
    const figure = table.ownerDocument.createElement('figure');
    const words = table.ownerDocument.createElement('figcaption');
    appendAll(figure, first?.childNodes ?? []);
    figure.append(words);
    appendAll(words, rows[1]?.firstElementChild?.childNodes ?? []);
    table.replaceWith(figure);
    return;
  }
  table.classList.add('gl-layout');
  table.setAttribute('role', 'presentation');
}
