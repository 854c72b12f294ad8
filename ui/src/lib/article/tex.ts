/**
 * Formulas that an article has as TeX, shown as what they mean. Temml makes MathML of them in the window, and only elements and attributes
 * that cannot do anything are taken over into the page; what it does not understand stays as its source, set apart from the text.
 */
const LONGEST = 4000;
const MOST = 2000;
/** Milliseconds of work between two breaths. */
const SLICE = 8;
/** Of one article: milliseconds that go into its formulas, and characters of their sources. What comes after that stays as it is. */
const WORK = 4000;
const ALL = 200_000;
/** Macros that Temml itself has and that one formula may use; and characters that may come of it. */
const EXPAND = 100;
const LARGEST = 200_000;
/** Who defines macros can make of a line whatever is too much for anybody: a formula that an article shows needs none of its own. */
const DEFINES = /\\(?:[gex]?def|(?:re)?newcommand|providecommand|let|futurelet|definecolor)(?![a-zA-Z@])/;

/** What begins a formula: `$$…$$`, `\[…\]` and `\(…\)`, WordPress's `$latex …$`, and `$…$` where that cannot be money. */
const BEGIN = /\$\$|\\\[|\\\(|\$latex\s|\$/g;
const ENDS: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]', '\\(': '\\)', $: '$' };
/** Characters between single dollars. */
const SHORT = 400;
/** Between single dollars something must say that it is no text. */
const SAYS = /\\[a-zA-Z]|[_^]|^[a-zA-Z]$|^[a-zA-Z]\s*[=<>+-]\s*[\w\\]+$/;
const NOT_IN = 'pre, code, kbd, samp, math, textarea, button, .gl-tex, .tex, .tex-block';

export type Piece = string | { readonly tex: string; readonly display: boolean };

/** Whether what stands between single dollars is a formula: `$HOME`, `US$5` and `$5 and $6` are none. */
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

/** A text cut where formulas begin and end, `most` of them; in time that grows with its length, whatever stands in it. */
export function texPieces(text: string, most = MOST): Piece[] {
  const pieces: Piece[] = [];
  let count = 0;
  // Where each end is found next, so that no stretch is looked through twice.
  const next = new Map<string, number>();
  const endOf = (end: string, from: number): number => {
    const known = next.get(end);
    if (known === undefined || (known >= 0 && known < from)) next.set(end, text.indexOf(end, from));
    return next.get(end) ?? -1;
  };
  let at = 0;
  for (const { 0: begin, index } of text.matchAll(BEGIN)) {
    if (index < at) continue;
    if (count >= most) break;
    const from = index + begin.length;
    const end = ENDS[begin] ?? '$';
    const until = endOf(end, from);
    if (until < 0 || until - from > LONGEST) continue;
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

const HINTS = /\$\$|\\\(|\\\[|\$latex\s|class="tex(?:-block)?"|class="language-math"|latex\.php\?|codecogs\.com/;

/** Whether an article may have TeX: what shows it is loaded for no other. */
export function mayHaveTex(html: string): boolean {
  if (HINTS.test(html)) return true;
  let looked = 0;
  for (const [, between] of html.matchAll(/\$([^$\n<]{1,400})(?=\$)/g)) {
    if (SAYS.test(between ?? '')) return true;
    if (++looked > 1000) return false;
  }
  return false;
}

/** The source in the address of a picture of a formula: WordPress's, CodeCogs's and their like. */
export function texOfPicture(image: Element): string | null {
  const src = image.getAttribute('data-gl-src') ?? image.getAttribute('src') ?? '';
  const alt = image.getAttribute('alt')?.trim() ?? '';
  // The picture itself is no longer named where none are loaded; its words say enough.
  let source: string | null = null;
  try {
    const url = new URL(src);
    if (/latex\.php$/.test(url.pathname)) source = url.searchParams.get('latex');
    else if (url.hostname.endsWith('codecogs.com')) source = decodeURIComponent(url.search.slice(1));
  } catch {
    // No address, no source.
  }
  const tex = (source || null) && (alt && !/^(image|formula|equation)$/i.test(alt) ? alt : source);
  return tex && tex.length <= LONGEST ? tex.replace(/^\\(?:dpi\{\d+\}|bg_\w+|large|inline)\s*/g, '') : null;
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

/** Takes over what only shows; anything else of it stays behind with all that is in it. */
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

/** Of one article. */
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
      if (html.length > LARGEST) return null;
      const math = parser.parseFromString(html, 'text/html').querySelector('math');
      return math ? clean(math, page) : null;
    } catch {
      // Not TeX as Temml knows it: its source is shown.
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

/** What says by its class that it is TeX, without marks around it or with them. */
function bare(box: Element): string {
  const text = box.textContent?.trim() ?? '';
  const [piece, more] = texPieces(text);
  return typeof piece === 'object' && more === undefined ? piece.tex : text;
}

/** Shows all formulas of a page; how many there were. `wanted` says whether the page is still there. */
export async function showFormulas(page: Document, wanted: () => boolean): Promise<number> {
  const body = page.querySelector('.gl-body');
  if (!body) return 0;
  const render = await renderer();
  if (!wanted()) return 0;
  let count = 0;
  let began = performance.now();
  /** Lets others work, too; false where nobody waits for the rest any more. */
  const goOn = async (): Promise<boolean> => {
    if (performance.now() - began <= SLICE) return true;
    await new Promise((done) => setTimeout(done));
    began = performance.now();
    return wanted();
  };
  for (const box of body.querySelectorAll('.tex, .tex-block, pre > code.language-math, pre.language-math')) {
    if (count >= MOST || !(await goOn())) return count;
    const display = !box.matches('span.tex');
    const whole = box.matches('pre > code') ? box.parentElement : box;
    if (!whole?.isConnected) continue;
    const tex = bare(box);
    if (!tex || tex.length > LONGEST) continue;
    whole.replaceWith(shown(tex, display, page, render));
    count++;
  }
  for (const image of body.querySelectorAll('img')) {
    if (count >= MOST || !(await goOn())) return count;
    const tex = image.isConnected ? texOfPicture(image) : null;
    if (!tex) continue;
    (image.closest('.gl-zoom') ?? image).replaceWith(shown(tex, false, page, render));
    count++;
  }
  const walker = page.createTreeWalker(body, 4 /* text */);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if ((node as Text).data.search(/\$|\\[([]/) >= 0) texts.push(node as Text);
  for (const text of texts) {
    if (count >= MOST || !(await goOn())) return count;
    if (!text.isConnected || text.parentElement?.closest(NOT_IN)) continue;
    const { data } = text;
    const pieces = texPieces(data, MOST - count);
    const found = pieces.filter((piece) => typeof piece !== 'string').length;
    if (found === 0) continue;
    // A block cannot stand in a paragraph by the rules of HTML's source; in the tree it can, and browsers show it.
    const all = page.createDocumentFragment();
    for (const piece of pieces) {
      if (!(await goOn())) return count;
      all.append(typeof piece === 'string' ? piece : shown(piece.tex, piece.display, page, render));
    }
    // Words that were looked for may have been marked in it meanwhile.
    if (!text.isConnected || text.data !== data) continue;
    text.replaceWith(all);
    count += found;
  }
  return count;
}
