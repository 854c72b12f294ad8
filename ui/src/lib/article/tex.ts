/**
 * Renders TeX formulas. Temml converts them to MathML in the window, and only harmless elements and attributes are
 * copied into the page. What Temml does not understand is shown as its source.
 */
import { SAYS } from './tex-hints';

const MAX_SOURCE = 4000;
const MAX_FORMULAS = 2000;
/** Milliseconds of work between two pauses. */
const SLICE = 8;
/** Limits for one article: milliseconds of rendering, and characters of source. The rest stays unrendered. */
const WORK = 4000;
const ALL = 200_000;
/** Limits for one formula: macro expansions, and characters of the result. */
const EXPAND = 100;
const MAX_LENGTH = 200_000;
/** Macro definitions can expand without bound; formulas in articles do not need their own. */
const DEFINES = /\\(?:[gex]?def|(?:re)?newcommand|providecommand|let|futurelet|definecolor)(?![a-zA-Z@])/;

/** Formula delimiters: `$$…$$`, `\[…\]`, `\(…\)`, WordPress's `$latex …$`, and `$…$` unless it may be money. */
const BEGIN = /\$\$|\\\[|\\\(|\$latex\s|\$/g;
const ENDS: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]', '\\(': '\\)', $: '$' };
/** Maximum length of a formula between single dollars, in characters. */
const SHORT = 400;
const NOT_IN = 'pre, code, kbd, samp, math, textarea, button, .gl-tex, .tex, .tex-block';

export type Piece = string | { readonly tex: string; readonly display: boolean };

/** Returns whether text between single dollars is a formula; `$HOME`, `US$5` and `$5 and $6` are not. */
function isFormula(text: string, from: number, until: number): boolean {
  const source = text.slice(from, until);
  return (
    source.length <= SHORT &&
    /^[^\s$][^\n]*$/.test(source) &&
    !/[\s\\]$/.test(source) &&
    SAYS.test(source) &&
    !/[\\\w]/.test(text.charAt(from - 2)) &&
    !/\d/.test(text.charAt(until + 1))
  );
}

/** Splits a text at formulas, at most `most` of them, in linear time. */
export function texPieces(text: string, limit = MAX_FORMULAS): Piece[] {
  const pieces: Piece[] = [];
  let count = 0;
  // Next occurrence of each end delimiter, so that no part is scanned twice.
  const next = new Map<string, number>();
  const endOf = (end: string, from: number): number => {
    const known = next.get(end);
    if (known === undefined || (known >= 0 && known < from)) next.set(end, text.indexOf(end, from));
    return next.get(end) ?? -1;
  };
  let at = 0;
  for (const { 0: begin, index } of text.matchAll(BEGIN)) {
    if (index < at) continue;
    if (count >= limit) break;
    const from = index + begin.length;
    const end = ENDS[begin] ?? '$';
    const until = endOf(end, from);
    if (until < 0 || until - from > MAX_SOURCE) continue;
    if (begin === '$' && !isFormula(text, from, until)) continue;
    const tex = text.slice(from, until).trim();
    if (tex === '') continue;
    if (index > at) pieces.push(text.slice(at, index));
    pieces.push({ tex, display: begin === '$$' || begin === '\\[' });
    count++;
    at = until + end.length;
  }
  if (at === 0) return [text];
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

/** Returns the TeX source in the address of a formula image, as made by WordPress, CodeCogs and others. */
export function texOfImage(image: Element): string | null {
  const src = image.getAttribute('data-gl-src') ?? image.getAttribute('src') ?? '';
  const alt = image.getAttribute('alt')?.trim() ?? '';
  // With images turned off the address is missing; the alternative text has the source.
  let source: string | null = null;
  try {
    const url = new URL(src);
    if (/latex\.php$/.test(url.pathname)) source = url.searchParams.get('latex');
    else if (url.hostname.endsWith('codecogs.com')) source = decodeURIComponent(url.search.slice(1));
  } catch {
    // No address.
  }
  const tex = (source || null) && (alt && !/^(image|formula|equation)$/i.test(alt) ? alt : source);
  return tex && tex.length <= MAX_SOURCE ? tex.replace(/^\\(?:dpi\{\d+\}|bg_\w+|large|inline)\s*/g, '') : null;
}

const ELEMENTS = new Set(
  (
    'math semantics mrow mi mn mo mtext ms mspace mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover ' +
    'munderover mmultiscripts mprescripts none mtable mtr mtd menclose'
  ).split(' '),
);
const ATTRIBUTES = new Set(
  (
    'display mathvariant form fence separator stretchy symmetric largeop movablelimits accent accentunder lspace rspace minsize maxsize ' +
    'width height depth voffset linethickness displaystyle scriptlevel columnalign rowalign columnspan rowspan columnspacing rowspacing notation'
  ).split(' '),
);

/** Copies harmless MathML; everything else is dropped with its content. */
export function clean(source: Element, page: Document): Element | null {
  if (!ELEMENTS.has(source.localName)) return null;
  const copy = page.createElementNS('http://www.w3.org/1998/Math/MathML', source.localName);
  for (const { name, value } of source.attributes)
    if (ATTRIBUTES.has(name) && /^[-+\w.% ]{0,40}$/.test(value)) copy.setAttribute(name, value);
  for (const child of source.childNodes) {
    if (child.nodeType === 3) copy.append(child.nodeValue ?? '');
    else if (child.nodeType === 1) {
      const inner = clean(child as Element, page);
      if (inner) copy.append(inner);
    }
  }
  return copy;
}

type Render = (tex: string, display: boolean, page: Document) => Element | null;

/** Creates the renderer for one article. */
async function renderer(): Promise<Render> {
  const { default: temml } = await import('temml');
  const parser = new DOMParser();
  let work = WORK;
  let left = ALL;
  return (tex, display, page) => {
    left -= tex.length;
    if (work <= 0 || left < 0 || DEFINES.test(tex)) return null;
    const began = performance.now();
    try {
      const html = temml.renderToString(tex, {
        displayMode: display,
        throwOnError: true,
        trust: false,
        maxExpand: EXPAND,
      });
      if (html.length > MAX_LENGTH) return null;
      const math = parser.parseFromString(html, 'text/html').querySelector('math');
      return math ? clean(math, page) : null;
    } catch {
      // Temml does not understand it: show the source.
      return null;
    } finally {
      work -= performance.now() - began;
    }
  };
}

function shown(tex: string, display: boolean, page: Document, render: Render): Element {
  const math = render(tex, display, page);
  const box = page.createElement(display ? 'div' : 'span');
  box.className = display ? 'gl-tex gl-scroll' : 'gl-tex';
  if (math) {
    math.setAttribute('alttext', tex);
    box.append(math);
  } else {
    box.classList.add('gl-source');
    box.textContent = tex;
  }
  return box;
}

/** Keeps a punctuation mark in the line of the formula before it, and returns the text after it. */
function keepMark(formula: Element | null, text: string): string {
  const mark = /^[.,:;!?…\p{Pe}\p{Pf}]+/u.exec(text)?.[0] ?? '';
  if (mark === '' || !formula?.matches('span.gl-tex') || formula.nextSibling) return text;
  const line = formula.ownerDocument.createElement('span');
  line.className = 'gl-line';
  formula.replaceWith(line);
  line.append(formula, mark);
  return text.slice(mark.length);
}

/** Returns the source in an element whose class marks it as TeX, with or without delimiters. */
function bare(box: Element): string {
  const text = box.textContent?.trim() ?? '';
  const [piece, more] = texPieces(text);
  return typeof piece === 'object' && more === undefined ? piece.tex : text;
}

/** Renders all formulas of a page and returns their number. `wanted` returns whether the page is still displayed. */
export async function showFormulas(page: Document, wanted: () => boolean): Promise<number> {
  const body = page.querySelector('.gl-body');
  if (!body) return 0;
  const render = await renderer();
  if (!wanted()) return 0;
  let count = 0;
  let began = performance.now();
  /** Pauses for other work; returns false if the result is no longer needed. */
  const pause = async (): Promise<boolean> => {
    if (performance.now() - began <= SLICE) return true;
    await new Promise((done) => setTimeout(done));
    began = performance.now();
    return wanted();
  };
  for (const box of body.querySelectorAll('.tex, .tex-block, pre > code.language-math, pre.language-math')) {
    if (count >= MAX_FORMULAS || !(await pause())) return count;
    const display = !box.matches('span.tex');
    const whole = box.matches('pre > code') ? box.parentElement : box;
    if (!whole?.isConnected) continue;
    const tex = bare(box);
    if (!tex || tex.length > MAX_SOURCE) continue;
    whole.replaceWith(shown(tex, display, page, render));
    count++;
  }
  for (const image of body.querySelectorAll('img')) {
    if (count >= MAX_FORMULAS || !(await pause())) return count;
    const tex = image.isConnected ? texOfImage(image) : null;
    if (!tex) continue;
    (image.closest('.gl-zoom') ?? image).replaceWith(shown(tex, false, page, render));
    count++;
  }
  const walker = page.createTreeWalker(body, 4 /* text */);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if ((node as Text).data.search(/\$|\\[([]/) >= 0) texts.push(node as Text);
  for (const text of texts) {
    if (count >= MAX_FORMULAS || !(await pause())) return count;
    if (!text.isConnected || text.parentElement?.closest(NOT_IN)) continue;
    const { data } = text;
    const pieces = texPieces(data, MAX_FORMULAS - count);
    const found = pieces.filter((piece) => typeof piece !== 'string').length;
    if (found === 0) continue;
    // HTML does not allow a block in a paragraph, but the DOM does, and browsers render it.
    const all = page.createDocumentFragment();
    for (const piece of pieces) {
      if (!(await pause())) return count;
      if (typeof piece !== 'string') all.append(shown(piece.tex, piece.display, page, render));
      else all.append(keepMark(all.lastElementChild, piece));
    }
    // A search may have changed the text meanwhile.
    if (!text.isConnected || text.data !== data) continue;
    text.replaceWith(all);
    count += found;
  }
  return count;
}
