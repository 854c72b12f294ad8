/**
 * The text of a page as passages are kept by it: white space is one blank each, blocks part words, soft hyphens are none. A passage is
 * its words, a little of what stands around it, and where it begins; so it is found again when the page is another one.
 */
import type { Quote } from '../ipc';

/** So many letters of what stands around a passage are kept, on each side. */
const CONTEXT = 64;
/** So few letters of it tell a place. */
const TELLING = 12;
/** So many places with the same words are looked at, on each side of where the passage was. */
const PLACES = 200;

export type Span = { readonly start: number; readonly end: number };

const INLINE: ReadonlySet<string> = new Set(
  'A ABBR ACRONYM B BDI BDO BIG CITE CODE DATA DEL DFN EM FONT I INS KBD LABEL MARK Q RUBY S SAMP SMALL SPAN STRIKE STRONG SUB SUP TIME TT U VAR WBR'.split(
    ' ',
  ),
);

const IGNORED = /[\u00ad\u200b\u2060\ufeff]/g;

/** Letters that are written in several ways, each as one: feeds and pages differ in them. */
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

/** How many letters two texts have in common at their ends, or at their beginnings. */
function alike(one: string, other: string, fromEnd: boolean): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && (fromEnd ? one.at(-1 - count) === other.at(-1 - count) : one[count] === other[count])) count++;
  return count;
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

export class PageText {
  readonly text: string;
  private readonly folded: string;
  private readonly nodes: Text[] = [];
  /** Where each of them begins in the text, and whether a blank stands before it. */
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

  /** What is selected, as it is kept; `null` where that has no words of the page. */
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

  /** Where a passage is now; `null` where it is no longer. */
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
    const look = (at: number): boolean => {
      const found = fits(at);
      if (found > score || (found === score && Math.abs(at - hint) < Math.abs(best - hint)))
        [best, score] = [at, found];
      return found === perfect;
    };
    // The same page: it is where it was.
    if (folded.startsWith(exact, hint) && look(hint)) return whole(hint);
    for (let at = folded.indexOf(exact, hint), n = 0; at >= 0 && n < PLACES; at = folded.indexOf(exact, at + 1), n++)
      if (look(at)) break;
    let at = hint > 0 ? folded.lastIndexOf(exact, hint - 1) : -1;
    for (let n = 0; at >= 0 && n < PLACES; n++) {
      if (look(at)) break;
      at = at > 0 ? folded.lastIndexOf(exact, at - 1) : -1;
    }
    if (best >= 0) return whole(best);
    return this.between(exact, prefix, suffix, hint);
  }

  /** What stands now between what stood around a passage, where that is much the same. */
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

  /** The part of the page that a span of its text is; `null` where the page has lost it since. */
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

  /** How far into the text a place of the page is. */
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

  /** The first of the nodes that is so, where all behind it are. */
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

  /** The node that a place is in. Of those that have no letters none is. */
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

/** A node comes behind another in the page, or is in it. */
const follows = (one: Node, other: Node): boolean =>
  one === other ||
  (one.compareDocumentPosition(other) & (Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY)) !== 0;

/** Whether a block ends between a text of this element and the next one. */
function leavesBlock(element: Element | null, next: Text): boolean {
  for (let one = element; one && !one.contains(next); one = one.parentElement)
    if (!INLINE.has(one.tagName)) return true;
  return false;
}
