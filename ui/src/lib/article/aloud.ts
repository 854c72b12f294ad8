/** An article's words as they are read aloud: no code, no tables, no signs of notes. */
const BLOCK_ENDS = 'p, li, h1, h2, h3, h4, h5, h6, dt, dd, blockquote, figcaption, div, br, hr';

export function readable(html: string, parser: DOMParser = new DOMParser()): string {
  const body = parser.parseFromString(`<!doctype html><body>${html}`, 'text/html').body;
  for (const part of body.querySelectorAll('pre, table, math, audio, video, rt, rp, sup > a, p.embed')) part.remove();
  for (const block of body.querySelectorAll(BLOCK_ENDS)) block.after('\n');
  return body.textContent ?? '';
}

/** Characters: engines lose their way in longer ones. */
const LONGEST = 300;

/** Cut where sentences end, and long ones where there is room for a breath. */
export function sentences(text: string, language: string | null): string[] {
  const found: string[] = [];
  for (const line of text.split('\n')) {
    const clean = line.replace(/\s+/g, ' ').trim();
    if (clean === '') continue;
    for (const { segment } of segmenter(language).segment(clean)) {
      for (let rest = segment.trim(); rest !== '';) {
        const breath =
          rest.length > LONGEST ? Math.max(rest.lastIndexOf(', ', LONGEST), rest.lastIndexOf(' ', LONGEST)) : -1;
        const end = rest.length <= LONGEST ? rest.length : breath > 0 ? breath + 1 : LONGEST;
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
