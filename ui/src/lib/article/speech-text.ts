/** Extracts an article's text for reading aloud, without code, tables and note references. */
const BLOCK_ENDS = 'p, li, h1, h2, h3, h4, h5, h6, dt, dd, blockquote, figcaption, div, br, hr';

export function readable(html: string, parser: DOMParser = new DOMParser()): string {
  const body = parser.parseFromString(`<!doctype html><body>${html}`, 'text/html').body;
  for (const part of body.querySelectorAll('pre, table, math, audio, video, rt, rp, sup > a, p.embed')) part.remove();
  for (const block of body.querySelectorAll(BLOCK_ENDS)) block.after('\n');
  return body.textContent ?? '';
}

/** Maximum length of a part, in characters: speech engines fail on longer ones. */
const MAX_PART = 300;

/** Splits a text into sentences, and long sentences at commas or spaces. */
export function sentences(text: string, language: string | null): string[] {
  const found: string[] = [];
  for (const line of text.split('\n')) {
    const clean = line.replace(/\s+/g, ' ').trim();
    if (clean === '') continue;
    for (const { segment } of segmenter(language).segment(clean)) {
      for (let rest = segment.trim(); rest !== '';) {
        const breath =
          rest.length > MAX_PART ? Math.max(rest.lastIndexOf(', ', MAX_PART), rest.lastIndexOf(' ', MAX_PART)) : -1;
        const end = rest.length <= MAX_PART ? rest.length : breath > 0 ? breath + 1 : MAX_PART;
        found.push(rest.slice(0, end).trim());
        rest = rest.slice(end).trim();
      }
    }
  }
  return found;
}

function segmenter(language: string | null): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language ?? undefined, { granularity: 'sentence' });
  } catch {
    return new Intl.Segmenter(undefined, { granularity: 'sentence' });
  }
}
