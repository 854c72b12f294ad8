/** Code blocks: a link that copies each, and its text. Their colours are in `code-colours.ts`, which only articles with code load. */
import { pageActionLink } from './page-actions';

/** Stores a block's number in the element: formulas and others may replace blocks. */
export const NUMBER = 'data-gl-code';
/** Elements that begin a line. */
const LINES = new Set('DIV LI P TR'.split(' '));

/** Whether an article may have code; only then is the worker started. */
export const mayHaveCode = (html: string): boolean => /<pre\b/i.test(html);

/** Adds a link to each code block that copies it. */
export function copyLinks(root: ParentNode, token: string, label: string): void {
  [...root.querySelectorAll('pre')].forEach((block, number) => {
    // Formulas are rendered later.
    if (block.matches('.language-math, pre pre') || block.querySelector('.language-math')) return;
    if (block.textContent?.trim() === '') return;
    const page = block.ownerDocument;
    block.setAttribute(NUMBER, String(number));
    const box = page.createElement('div');
    box.className = 'gl-code';
    const link = page.createElement('a');
    link.className = 'gl-copy';
    link.setAttribute('href', pageActionLink(token, 'copy', number));
    link.setAttribute('aria-label', label);
    block.replaceWith(box);
    box.append(block, link);
  });
}

export type CodeText = {
  readonly text: string;
  readonly nodes: readonly { readonly node: Text; readonly start: number }[];
};

/** Reads the text of a code block with its line breaks. */
export function readCode(block: Element): CodeText {
  const parts: string[] = [];
  const nodes: { node: Text; start: number }[] = [];
  let length = 0;
  let last = '\n';
  const add = (part: string): void => {
    parts.push(part);
    length += part.length;
    last = part.at(-1) ?? last;
  };
  const walker = block.ownerDocument.createTreeWalker(block, 5 /* elements and text */);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === 3) {
      nodes.push({ node: node as Text, start: length });
      add((node as Text).data);
    } else if (node.nodeName === 'BR' || (LINES.has(node.nodeName) && last !== '\n')) add('\n');
  }
  return { text: parts.join(''), nodes };
}

/** Returns the text of the code block with this number; `null` if it is not on the page. */
export function codeText(page: Document, number: number): string | null {
  const block = page.querySelector(`.gl-body pre[${NUMBER}="${number}"]`);
  return block && readCode(block).text;
}
