/**
 * Titles that repeat their texts. The title of a post without one is made from the first line of its text, shortened
 * with an ellipsis (`first_line_of_html` in gleaner-feed).
 */
const WORD = /[\p{L}\p{N}\p{M}]/u;
const ELLIPSIS = /\s*(?:…|\.{3})\s*$/;
const CONTINUES = /^\s*(?:…|\.{3})/;
/** Characters that separate a title from the text after it. */
const SEPARATOR = /^(?:(?![#@&"'*¿¡])[\s\p{Po}\p{Pd}\p{Pe}\p{Pf}|])+/u;
/** Elements that begin a line. */
const BLOCKS =
  'p, div, li, ul, ol, dl, dt, dd, h1, h2, h3, h4, h5, h6, blockquote, pre, figure, figcaption, table, td, th, section, article, header, details, summary';
/** Maximum length of a line that is compared with a title, in characters. */
const LINE = 2000;

const signAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0);

/** Returns where the words of `start` end in a text; `null` if the text does not begin with them. */
function endOf(start: string, text: string): number | null {
  let [at, words] = [0, 0];
  for (const sign of start) {
    if (!WORD.test(sign)) continue;
    while (at < text.length && !WORD.test(signAt(text, at))) at += signAt(text, at).length;
    const next = signAt(text, at);
    if (next.toLowerCase() !== sign.toLowerCase()) return null;
    at += next.length;
    words++;
  }
  // A title of emoji.
  if (words === 0) return start !== '' && text.startsWith(start) ? start.length : null;
  return at;
}

const startsWithWord = (text: string): boolean => WORD.test(signAt(text, 0));

/** Returns where a title ends in the text that it repeats, and whether it is only the beginning of a line. */
function repeated(title: string, text: string): { end: number; cut: boolean } | null {
  const end = endOf(title.replace(ELLIPSIS, ''), text);
  if (end === null) return null;
  const rest = text.slice(end);
  if (ELLIPSIS.test(title) && !CONTINUES.test(rest)) return { end, cut: true };
  return startsWithWord(rest) ? null : { end, cut: false };
}

/** The texts that a row shows. */
type RowTexts = {
  /** Empty if the excerpt stands for the title. */
  readonly title: string;
  readonly excerpt: string;
  /** Where they begin in the whole excerpt, for the ranges of matches. */
  readonly from: number;
};

/** Returns the texts of a row without repetitions. */
export function rowTexts({ title, excerpt }: { readonly title: string; readonly excerpt: string }): RowTexts {
  const whole = { title, excerpt, from: 0 };
  if (!title || !excerpt) return whole;
  const place = repeated(title, excerpt);
  if (place?.cut) return { ...whole, title: '' };
  if (place) {
    const rest = excerpt.slice(place.end);
    const text = rest.replace(SEPARATOR, '');
    // “Version 2” and “Version 2 is faster”: not the same sentence.
    return /^\p{Ll}/u.test(text) ? whole : { title, excerpt: text, from: place.end + rest.length - text.length };
  }
  const end = endOf(excerpt.replace(ELLIPSIS, ''), title);
  return end !== null && !startsWithWord(title.slice(end)) ? { ...whole, excerpt: '' } : whole;
}

/** Returns the first line of an article's text, and its heading if it is one. */
function firstLine(root: Element): { line: string; heading: Element | null } {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  let line = '';
  let block: Element | null = null;
  for (let node = walker.nextNode(); node && line.length < LINE; node = walker.nextNode()) {
    const begun = line.trim() !== '';
    if (node.nodeType !== Node.TEXT_NODE) {
      if (begun && node.nodeName === 'BR') break;
      continue;
    }
    const own = node.parentElement?.closest(BLOCKS) ?? null;
    if (begun && own !== block) break;
    if ((node.nodeValue ?? '').trim() !== '') block = own;
    line += node.nodeValue ?? '';
  }
  return { line, heading: /^H[1-6]$/.test(block?.tagName ?? '') ? block : null };
}

/** Returns whether a title only repeats the first line of an article's text, as that of a post without a title. */
export function repeatsFirstLine(title: string, body: Element): boolean {
  if (!title) return false;
  const { line, heading } = firstLine(body);
  const place = heading ? null : repeated(title, line);
  return place !== null && (place.cut || !WORD.test(line.slice(place.end)));
}

/** Returns the heading at the beginning of an article's text if it only repeats the title. */
export function repeatsHeading(title: string, body: Element): Element | null {
  const { heading } = firstLine(body);
  const text = heading?.textContent?.trim() ?? '';
  const place = title && heading ? repeated(title, text) : null;
  return place && !place.cut && !WORD.test(text.slice(place.end)) ? heading : null;
}
