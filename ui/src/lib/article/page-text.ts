/**
 * The text of an article as one string in which words are looked for, without case, accents and line breaks, and the way back from a place
 * in it to the page. What stands in different blocks stands apart; what only an inline element parts is one word.
 */
const BLOCKS = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER DD DETAILS DIV DL DT FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HGROUP HR ' +
    'LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL'
  ).split(' '),
);
const SKIPPED = new Set(['RP', 'AUDIO', 'VIDEO']);
/** Milliseconds of work between two breaths. */
const SLICE = 8;

const PLAIN = /^(?:[\x21-\x7e]| (?! ))*$/;

/** Without case, accents and runs of white space. */
export const foldText = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(/\p{Mn}|\u00ad/gu, '')
        .toLowerCase()
        .replace(/ς/g, 'σ')
        .replace(/ß/g, 'ss')
        .replace(/\s+/g, ' ');

type Chunk = {
  readonly node: Text;
  /** Where its text begins in the whole. */
  readonly start: number;
  readonly length: number;
  /** Characters of its own folded text that were left out before that. */
  readonly cut: number;
};

export type Span = { readonly from: number; readonly until: number };
export type Place = { readonly node: Text; readonly offset: number };

const breath = (): Promise<void> => new Promise((done) => setTimeout(done));

export class PageText {
  private constructor(
    readonly text: string,
    private readonly chunks: readonly Chunk[],
  ) {}

  /** Reads the parts of a page, with breaths in between; null where `wanted` says that nobody wants it any more. */
  static async read(roots: readonly Element[], wanted: () => boolean = () => true): Promise<PageText | null> {
    const pieces: string[] = [];
    const chunks: Chunk[] = [];
    let length = 0;
    let last = '\n';
    const add = (piece: string) => {
      pieces.push(piece);
      length += piece.length;
      last = piece.at(-1) ?? last;
    };
    let block: Element | null = null;
    let began = performance.now();
    for (const root of roots) {
      const walker = root.ownerDocument.createTreeWalker(root, 5 /* elements and text */, (node) =>
        SKIPPED.has(node.nodeName) ? 2 /* nor what is in it */ : 1,
      );
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (performance.now() - began > SLICE) {
          await breath();
          if (!wanted()) return null;
          began = performance.now();
        }
        if (node.nodeType === 1) {
          if (node.nodeName === 'BR' && last !== ' ' && last !== '\n') add(' ');
          continue;
        }
        const folded = foldText((node as Text).data);
        if (folded === '') continue;
        let around = node.parentElement;
        while (around && !BLOCKS.has(around.nodeName) && around !== root) around = around.parentElement;
        if (around !== block) {
          if (last !== '\n') add('\n');
          block = around;
        }
        const cut = folded.startsWith(' ') && (last === ' ' || last === '\n') ? 1 : 0;
        if (folded.length === cut) continue;
        chunks.push({ node: node as Text, start: length, length: folded.length - cut, cut });
        add(cut ? folded.slice(1) : folded);
      }
    }
    return new PageText(pieces.join(''), chunks);
  }

  /** Where a text stands, at most so many times. */
  find(wanted: string, most: number): Span[] {
    const folded = foldText(wanted).replace(/^ +| +$/g, '');
    const found: Span[] = [];
    if (folded === '') return found;
    for (let at = this.text.indexOf(folded); at >= 0 && found.length < most; at = this.text.indexOf(folded, at)) {
      found.push({ from: at, until: at + folded.length });
      at += folded.length;
    }
    return found;
  }

  /** The same for whole words, or their beginnings. Scripts that part no words have none. */
  words(wanted: string, begins: boolean, most: number): Span[] {
    const word = (at: number) => /[\p{L}\p{N}]/u.test(this.text.charAt(at));
    if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u.test(wanted))
      return this.find(wanted, most);
    return this.find(wanted, most * 4)
      .filter(({ from, until }) => !word(from - 1) && (begins || !word(until)))
      .slice(0, most);
  }

  /** The beginning of a span on the page, or its end. */
  place(at: number, end = false): Place | null {
    let low = 0;
    let high = this.chunks.length - 1;
    // The last chunk that begins before the place; at an end, one that begins there holds nothing of it.
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const { start } = this.chunks[middle] as Chunk;
      if (end ? start < at : start <= at) low = middle;
      else high = middle - 1;
    }
    const chunk = this.chunks[low];
    if (!chunk) return null;
    return {
      node: chunk.node,
      offset: offset(chunk.node, Math.min(at - chunk.start, chunk.length) + chunk.cut, end),
    };
  }
}

/** Places in a long text that was folded, every so many characters, so that none is walked through twice. */
type Marks = { readonly raw: number[]; readonly folded: number[]; readonly space: boolean[] };
const STEP = 256;
const known = new WeakMap<Text, Marks>();

const foldedLength = (character: string, space: boolean): number => {
  if (/\s/.test(character)) return space ? 0 : 1;
  return character < '\u0080' ? 1 : foldText(character).length;
};

function marksOf(node: Text): Marks {
  const there = known.get(node);
  if (there) return there;
  const marks: Marks = { raw: [0], folded: [0], space: [false] };
  let [raw, folded, count, space] = [0, 0, 0, false];
  for (const character of node.data) {
    folded += foldedLength(character, space);
    space = /\s/.test(character);
    raw += character.length;
    if (++count % STEP === 0) {
      marks.raw.push(raw);
      marks.folded.push(folded);
      marks.space.push(space);
    }
  }
  known.set(node, marks);
  return marks;
}

/** The place in a text that so many characters of it folded lead to. */
function offset(node: Text, wanted: number, end: boolean): number {
  const { data } = node;
  if (PLAIN.test(data)) return wanted;
  const marks = marksOf(node);
  let low = 0;
  let high = marks.raw.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((marks.folded[middle] as number) < wanted) low = middle;
    else high = middle - 1;
  }
  let folded = marks.folded[low] as number;
  let raw = marks.raw[low] as number;
  let space = marks.space[low] as boolean;
  while (raw < data.length) {
    const character = String.fromCodePoint(data.codePointAt(raw) as number);
    const length = foldedLength(character, space);
    // Marks without a length of their own belong to what is before them.
    if (folded >= wanted && (length > 0 || (end && /\s/.test(character)))) break;
    folded += length;
    space = /\s/.test(character);
    raw += character.length;
  }
  return raw;
}
