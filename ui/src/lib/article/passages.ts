/**
 * The text of a page for locating passages: white space is collapsed, blocks separate words, soft hyphens are
 * dropped. A passage is stored with its text, some context and its offset, so that it is found again after the page
 * has changed.
 */
import type { Quote } from '../ipc';

/** Letters of context stored on each side of a passage. */
const CONTEXT = 64;
/** Minimum number of matching context letters. */
const TELLING = 12;
/** Maximum number of candidates examined on each side of the former position. */
const PLACES = 200;

export type Span = { readonly start: number; readonly end: number };

const INLINE: ReadonlySet<string> = new Set(
  'A ABBR ACRONYM B BDI BDO BIG CITE CODE DATA DEL DFN EM FONT I INS KBD LABEL MARK Q RUBY S SAMP SMALL SPAN STRIKE STRONG SUB SUP TIME TT U VAR WBR'.split(
    ' ',
  ),
);

const IGNORED = /[\u00ad\u200b\u2060\ufeff]/g;

/** Characters with several spellings, normalised because feeds and pages differ in them. */
const FOLDS: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
  '‑': '-',
};
const fold = (text: string): string => text.replace(/[‘’‚“”„–—‑]/g, (letter) => FOLDS[letter] ?? letter);

function normal(text: string, afterBlank: boolean): string {
  const plain = text.replace(IGNORED, '').replace(/\s+/g, ' ');
  return afterBlank && plain.startsWith(' ') ? plain.slice(1) : plain;
}

/** Returns how many letters two texts share at their end or beginning. */
function alike(one: string, other: string, fromEnd: boolean): number {
  const limit = Math.min(one.length, other.length);
  let count = 0;
  while (count < limit && (fromEnd ? one.at(-1 - count) === other.at(-1 - count) : one[count] === other[count]))
    count++;
  return count;
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

export class PageText {
  readonly text: string;
  private readonly folded: string;
  private readonly nodes: Text[] = [];
  /** Start of each node in the text, and whether a space precedes it. */
  private readonly starts: number[] = [];
  private readonly blank: boolean[] = [];

  constructor(root: Element) {
    const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    const parts: string[] = [];
    let length = 0;
    let blank = true;
    let before: Element | null = null;
    let parted = false;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.ELEMENT_NODE) {
        parted ||= !INLINE.has((node as Element).tagName);
        continue;
      }
      const text = node as Text;
      const parent = text.parentElement;
      if (!blank && (parted || (before !== parent && leavesBlock(before, text)))) {
        parts.push(' ');
        length++;
        blank = true;
      }
      parted = false;
      before = parent;
      const words = normal(text.data, blank);
      this.nodes.push(text);
      this.starts.push(length);
      this.blank.push(blank);
      if (!words) continue;
      parts.push(words);
      length += words.length;
      blank = words.endsWith(' ');
    }
    this.text = parts.join('');
    this.folded = fold(this.text);
  }

  /** Returns a range as a stored passage; `null` if it contains no text of the page. */
  quote(range: Range): Quote | null {
    let start = this.offset(range.startContainer, range.startOffset);
    let end = this.offset(range.endContainer, range.endOffset);
    while (start < end && this.text[start] === ' ') start++;
    while (end > start && this.text[end - 1] === ' ') end--;
    if (start >= end) return null;
    return {
      exact: this.text.slice(start, end),
      prefix: this.text.slice(Math.max(0, start - CONTEXT), start),
      suffix: this.text.slice(end, end + CONTEXT),
      start,
    };
  }

  /** Returns the current position of a passage; `null` if it is missing. */
  find(quote: Quote): Span | null {
    const exact = fold(quote.exact);
    const [prefix, suffix] = [fold(quote.prefix), fold(quote.suffix)];
    const { folded } = this;
    const whole = (start: number): Span => ({ start, end: start + exact.length });
    if (!exact) return null;
    const fits = (at: number) =>
      alike(folded.slice(Math.max(0, at - CONTEXT), at), prefix, true) +
      alike(folded.slice(at + exact.length, at + exact.length + CONTEXT), suffix, false);
    const perfect = prefix.length + suffix.length;
    const hint = Math.min(quote.start, folded.length);
    let [best, score] = [-1, -1];
    const tryAt = (at: number): boolean => {
      const found = fits(at);
      if (found > score || (found === score && Math.abs(at - hint) < Math.abs(best - hint)))
        [best, score] = [at, found];
      return found === perfect;
    };
    // If the page is unchanged, the passage is at its old position.
    if (folded.startsWith(exact, hint) && tryAt(hint)) return whole(hint);
    for (let at = folded.indexOf(exact, hint), n = 0; at >= 0 && n < PLACES; at = folded.indexOf(exact, at + 1), n++)
      if (tryAt(at)) break;
    let at = hint > 0 ? folded.lastIndexOf(exact, hint - 1) : -1;
    for (let n = 0; at >= 0 && n < PLACES; n++) {
      if (tryAt(at)) break;
      at = at > 0 ? folded.lastIndexOf(exact, at - 1) : -1;
    }
    if (best >= 0) return whole(best);
    return this.between(exact, prefix, suffix, hint);
  }

  /** Returns the text that is now between the stored contexts, if it is similar enough. */
  private between(exact: string, prefix: string, suffix: string, hint: number): Span | null {
    const { folded } = this;
    const [before, behind] = [prefix.slice(-32).trimStart(), suffix.slice(0, 32).trimEnd()];
    if (before.length < TELLING || behind.length < TELLING) return null;
    const words = wordsOf(exact);
    const longest = exact.length * 2 + 40;
    let best: Span | null = null;
    for (let at = folded.indexOf(before), n = 0; at >= 0 && n < PLACES; at = folded.indexOf(before, at + 1), n++) {
      const start = at + before.length;
      const end = folded.indexOf(behind, start);
      if (end < 0) break;
      if (end <= start || end - start > longest) continue;
      const now = wordsOf(folded.slice(start, end));
      const same = [...words].filter((word) => now.has(word)).length;
      if (same * 2 < Math.max(words.size, 1)) continue;
      if (!best || Math.abs(start - hint) < Math.abs(best.start - hint)) best = { start, end };
    }
    return best;
  }

  /** Returns the range of a span; `null` if the page has changed since. */
  range({ start, end }: Span): Range | null {
    const from = this.point(start, false);
    const to = this.point(end, true);
    if (!from || !to || !from.node.isConnected || !to.node.isConnected) return null;
    const range = from.node.ownerDocument.createRange();
    try {
      range.setStart(from.node, from.offset);
      range.setEnd(to.node, to.offset);
    } catch {
      return null;
    }
    return range;
  }

  /** Returns the text offset of a page position. */
  offset(container: Node, offset: number): number {
    if (container.nodeType === Node.TEXT_NODE) {
      const at = this.nodes.indexOf(container as Text);
      if (at >= 0) return this.starts[at]! + normal((container as Text).data.slice(0, offset), this.blank[at]!).length;
    }
    const child = container.nodeType === Node.TEXT_NODE ? container : container.childNodes[offset];
    const at = child
      ? this.first((node) => follows(child, node))
      : this.first((node) => follows(container, node) && !container.contains(node));
    return this.starts[at] ?? this.text.length;
  }

  /** Binary search for the first node for which `holds` is true. */
  private first(holds: (node: Text) => boolean): number {
    let [low, high] = [0, this.nodes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.nodes[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private point(offset: number, end: boolean): { node: Text; offset: number } | null {
    const at = this.nodeAt(offset, end);
    const node = this.nodes[at];
    if (!node) return null;
    const wanted = offset - this.starts[at]!;
    let [seen, blank] = [0, this.blank[at]!];
    for (let i = 0; i < node.data.length; i++) {
      const letter = node.data[i]!;
      if (/[\u00ad\u200b\u2060\ufeff]/.test(letter)) continue;
      const white = /\s/.test(letter);
      const counts = !(white && blank);
      if (counts && !end && seen === wanted) return { node, offset: i };
      if (counts) seen++;
      blank = white;
      if (end && seen === wanted) return { node, offset: i + 1 };
    }
    return { node, offset: node.data.length };
  }

  /** Returns the node that contains an offset; nodes without letters contain none. */
  private nodeAt(offset: number, end: boolean): number {
    let [low, high] = [0, this.starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (end ? this.starts[middle]! < offset : this.starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** Returns whether a node follows another one or is inside it. */
const follows = (one: Node, other: Node): boolean =>
  one === other ||
  (one.compareDocumentPosition(other) & (Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY)) !== 0;

/** Returns whether a block boundary lies between this element and the next text. */
function leavesBlock(element: Element | null, next: Text): boolean {
  for (let one = element; one && !one.contains(next); one = one.parentElement)
    if (!INLINE.has(one.tagName)) return true;
  return false;
}
