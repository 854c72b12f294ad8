/**
 * Colours of code blocks, computed in a worker, which is ended if it takes too long. Only elements around parts of the text are
 * added: the text itself never changes, so searches and notes find it.
 */
import { NUMBER, readCode, type CodeText } from './code-blocks';
import type { CodeTokens } from './code-tokens';
import type { CodeRequest } from './code-worker';

/** Longer blocks stay plain, in characters. */
const MAX_CODE = 50_000;
/** Limits for one article: blocks, and coloured parts. The rest stays plain. */
const MAX_BLOCKS = 200;
const MAX_PARTS = 20_000;
/** Milliseconds that the worker may take for one block. */
const MAX_TIME = 3000;
/** Milliseconds of work between two pauses. */
const SLICE = 8;

/** Returns the language that the class of a block names; `null` without one. */
function languageOf(block: Element): string | null {
  for (const element of [block.querySelector(':scope > code'), block])
    for (const name of element?.classList ?? []) if (name.startsWith('language-')) return name.slice(9).toLowerCase();
  return null;
}

/** Wraps each token in an element with the class of its kind; returns the number of elements. */
function colour({ nodes }: CodeText, tokens: CodeTokens): number {
  let at = 0;
  let count = 0;
  for (const { node, start } of nodes) {
    const { data } = node;
    const pieces = node.ownerDocument.createDocumentFragment();
    let done = 0;
    while (at < tokens.length) {
      const [from, until, kind] = tokens[at] as CodeTokens[number];
      const [begin, end] = [Math.max(from - start, 0), Math.min(until - start, data.length)];
      if (begin >= data.length) break;
      if (end > begin) {
        const part = node.ownerDocument.createElement('span');
        part.className = `gl-code-${kind}`;
        part.textContent = data.slice(begin, end);
        pieces.append(data.slice(done, begin), part);
        done = end;
        count++;
      }
      // A token may continue in the next text.
      if (until - start > data.length) break;
      at++;
    }
    if (done === 0) continue;
    if (done < data.length) pieces.append(data.slice(done));
    node.replaceWith(pieces);
  }
  return count;
}

/** Returns the tokens of a code; `null` if they cannot be computed in time. */
export type Highlighter = {
  readonly tokens: (request: CodeRequest) => Promise<CodeTokens | null>;
  readonly end: () => void;
};

/** Starts a worker that computes tokens. Once a block has taken too long, the following ones are not answered. */
function startWorker(): Highlighter {
  const worker = new Worker(new URL('./code-worker.ts', import.meta.url), { type: 'module' });
  let ended = false;
  const end = (): void => {
    ended = true;
    worker.terminate();
  };
  const tokens = (request: CodeRequest): Promise<CodeTokens | null> =>
    new Promise((done) => {
      if (ended) return done(null);
      const stop = (): void => {
        end();
        done(null);
      };
      const timer = setTimeout(stop, MAX_TIME);
      worker.onerror = stop;
      worker.onmessage = ({ data }: MessageEvent<CodeTokens>) => {
        clearTimeout(timer);
        done(data);
      };
      worker.postMessage(request);
    });
  return { tokens, end };
}

/** Whether the selection begins or ends in a block: it would be lost. */
function isSelected(block: Element): boolean {
  const selection = block.ownerDocument.getSelection();
  return !!selection && !selection.isCollapsed && selection.containsNode(block, true);
}

/** Colours the code blocks of a page and returns their number. `wanted` returns whether the page is still displayed. */
export async function colourCode(
  page: Document,
  wanted: () => boolean,
  start: () => Highlighter = startWorker,
): Promise<number> {
  const blocks = [...page.querySelectorAll(`.gl-body pre[${NUMBER}]`)].slice(0, MAX_BLOCKS).flatMap((block) => {
    const language = languageOf(block);
    // Without `code` it may be a poem or a drawing: its language is not guessed.
    return language !== null || block.querySelector(':scope > code') ? [{ block, language }] : [];
  });
  if (blocks.length === 0) return 0;
  const highlighter = start();
  let [count, parts] = [0, 0];
  let began = performance.now();
  try {
    for (const { block, language } of blocks) {
      const { text } = readCode(block);
      if (text.length > MAX_CODE) continue;
      const tokens = await highlighter.tokens({ text, language });
      if (!wanted() || !tokens) break;
      // A search or a selection may have changed the block in the meantime.
      const now = readCode(block);
      if (parts + tokens.length > MAX_PARTS || now.text !== text || isSelected(block)) continue;
      const coloured = colour(now, tokens);
      parts += coloured;
      if (coloured > 0) count++;
      if (performance.now() - began > SLICE) {
        await new Promise((done) => setTimeout(done));
        began = performance.now();
      }
    }
  } finally {
    highlighter.end();
  }
  return count;
}
