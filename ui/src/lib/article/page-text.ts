/**
 * The text of an article as one string to search in, without case, accents and line breaks, with a mapping back to
 * the page. Blocks are separated; inline elements are not.
 */
const BLOCKS = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER DD DETAILS DIV DL DT FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HGROUP HR ' +
    'LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL'
  ).split(' '),
);
const SKIPPED = new Set(['RP', 'AUDIO', 'VIDEO']);
/** Milliseconds of work between two pauses. */
const SLICE = 8;

const PLAIN = /^(?:[\x21-\x7e]| (?! ))*$/;

/** Removes case, accents and runs of white space. */
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
  /** Position of the node's text in the whole string. */
  readonly start: number;
  readonly length: number;
  /** Number of its own folded characters that were skipped before `start`. */
  readonly cut: number;
};

export type Span = { readonly from: number; readonly until: number };
export type Place = { readonly node: Text; readonly offset: number };

const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

export class PageText {
  private constructor(
    readonly text: string,
    private readonly chunks: readonly Chunk[],
  ) {}

  /** Reads the text of a page, with pauses in between; returns `null` once `wanted` returns false. */
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
          await pause();
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

  /** Returns the matches of a text, up to a maximum number. */
  find(wanted: string, limit: number): Span[] {
    const folded = foldText(wanted).replace(/^ +| +$/g, '');
    const found: Span[] = [];
    if (folded === '') return found;
    for (let at = this.text.indexOf(folded); at >= 0 && found.length < limit; at = this.text.indexOf(folded, at)) {
      found.push({ from: at, until: at + folded.length });
      at += folded.length;
    }
    return found;
  }

  /** Like `find`, for whole words or word beginnings. In scripts without word separators every match counts. */
  words(wanted: string, begins: boolean, limit: number): Span[] {
    const word = (at: number) => /[\p{L}\p{N}]/u.test(this.text.charAt(at));
    if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u.test(wanted))
      return this.find(wanted, limit);
    return this.find(wanted, limit * 4)
      .filter(({ from, until }) => !word(from - 1) && (begins || !word(until)))
      .slice(0, limit);
  }

  /** Returns the page position of the start of a span, or of its end. */
  place(at: number, end = false): Place | null {
    let low = 0;
    let high = this.chunks.length - 1;
    // Find the last chunk that begins before the position; at an end, one that begins exactly there is excluded.
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

/** Sampled positions in a long folded text, so that it is not walked through repeatedly. */
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

/** Returns the offset in a text node for an offset in its folded text. */
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
    // Combining marks belong to the character before them.
    if (folded >= wanted && (length > 0 || (end && /\s/.test(character)))) break;
    folded += length;
    space = /\s/.test(character);
    raw += character.length;
  }
  return raw;
}
