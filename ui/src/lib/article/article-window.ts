/**
 * Builds the complete document of an article for a window of its own, or to print. The window has no scripts: images load by
 * themselves, footnotes open by the browser's popover API, and the links that need the main window are left out.
 */
import type { Article } from '../ipc';
import { articlePage, fill, pageSource, type EmptyPageOptions, type PageWords } from './article-page';
import { mayHaveCode } from './code-blocks';
import { load } from './lazy-images';
import { newToken } from './page-actions';
import { mayHaveTex } from './tex-hints';

type ArticleDocumentOptions = EmptyPageOptions & {
  /** Load remote images. */
  readonly images: boolean;
  readonly words: PageWords;
  /** Load all images at once, also those far below: for printing. */
  readonly eager: boolean;
};

/** Links that only work in the main window: with a text that stays, or without. */
const ACTS = 'a[href^="gleaner-act:"]';
const WITHOUT_TEXT = '.gl-more, .gl-copy, .gl-corner, .gl-note-go';
/** The part before the fragment in the links of the frame; see `article-page.ts`. */
const FRAME = 'about:srcdoc';

function removeActs(root: ParentNode): void {
  for (const element of root.querySelectorAll(WITHOUT_TEXT)) element.remove();
  for (const link of root.querySelectorAll(ACTS)) link.replaceWith(...link.childNodes);
}

function loadImages(root: ParentNode, eager: boolean): void {
  for (const image of root.querySelectorAll<HTMLImageElement>('img')) {
    if (!eager) image.setAttribute('loading', 'lazy');
    load(image);
  }
  for (const video of root.querySelectorAll<HTMLVideoElement>('video[data-gl-poster]')) load(video);
}

/** Number of columns from which a table is set smaller on paper, and much smaller. */
const [MANY_COLUMNS, VERY_MANY_COLUMNS] = [8, 14];
/** Number of rows whose cells are counted. */
const MAX_ROWS = 50;

/** Marks the tables that would be cut off on paper, and make WebKit print the whole article smaller. */
function markWideTables(root: ParentNode): void {
  for (const table of root.querySelectorAll<HTMLTableElement>('table:not(.gl-layout)')) {
    let columns = 0;
    for (const row of [...table.rows].slice(0, MAX_ROWS))
      columns = Math.max(
        columns,
        [...row.cells].reduce((sum, cell) => sum + cell.colSpan, 0),
      );
    if (columns >= MANY_COLUMNS) table.classList.add('gl-wide');
    if (columns >= VERY_MANY_COLUMNS) table.classList.add('gl-wider');
  }
}

/** Returns the HTML of the document. */
export async function articleDocument(
  article: Article,
  options: ArticleDocumentOptions,
  parser: DOMParser = new DOMParser(),
): Promise<string> {
  const source = pageSource(options).replace('</head>', '<link rel="stylesheet" href="/user.css"></head>');
  const doc = parser.parseFromString(source, 'text/html');
  const { images, words } = options;
  fill(doc, articlePage(article, { images, words, token: newToken(), player: false }, parser));
  // Undetermined (BCP 47): a document without its own window around it must name a language.
  doc.documentElement.lang ||= 'und';
  if (mayHaveTex(article.html)) await (await import('./tex')).showFormulas(doc, () => true);
  if (mayHaveCode(article.html)) await (await import('./code-colours')).colourCode(doc, () => true);
  removeActs(doc);
  if (options.eager) markWideTables(doc);
  loadImages(doc, options.eager);
  for (const link of doc.querySelectorAll(`a[href^="${FRAME}#"]`)) {
    link.setAttribute('href', (link.getAttribute('href') ?? '').slice(FRAME.length));
    link.setAttribute('target', '_self');
  }
  return `<!doctype html>${doc.documentElement.outerHTML}`;
}
