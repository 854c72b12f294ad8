/** Which way a text runs: its letters say it more surely than what its feed says of its language. */
const RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]|\ud802|\ud803|\ud83a|\ud83b/g;
const LETTERS = /\p{L}/gu;
/** Characters that are looked at. */
const SAMPLE = 4000;
/** Fewer letters say nothing for certain. */
const ENOUGH = 3;
const MANY = 40;

/** Null where too little is said. */
export function textDirection(text: string): 'rtl' | 'ltr' | null {
  const sample = text.slice(0, SAMPLE);
  const right = sample.match(RIGHT)?.length ?? 0;
  if (right === 0) return null;
  const letters = sample.match(LETTERS)?.length ?? 0;
  if (letters < ENOUGH) return null;
  return right * 2 > letters ? 'rtl' : 'ltr';
}

/** A right-to-left language by its tag; "auto" where the feed names none, so that the text itself decides. */
export function direction(language: string | null, text = ''): 'rtl' | 'ltr' | 'auto' {
  const said = textDirection(text);
  if (said) return said;
  if (!language) return 'auto';
  const right = /^(ar|he|iw|fa|ur|yi|ji|dv|ps|sd|ug|ckb|syr|arc)\b/i.test(language);
  // A whole article without a letter of its scripts is in another language than its feed says.
  return right && (text.slice(0, SAMPLE).match(LETTERS)?.length ?? 0) < MANY ? 'rtl' : 'ltr';
}

const BLOCKS = 'p, li, h1, h2, h3, h4, h5, h6, blockquote, td, th, dd, dt, figcaption';

/** Marks the blocks that run the other way than the page: a quotation in Arabic among English, and the other way round. */
export function blockDirections(root: Element, page: 'rtl' | 'ltr' | 'auto'): void {
  if ((root.textContent ?? '').search(RIGHT) < 0) return;
  for (const block of root.querySelectorAll(BLOCKS)) {
    if (block.hasAttribute('dir')) continue;
    const text = block.textContent ?? '';
    const own = textDirection(text) ?? (/\p{L}{3}/u.test(text) ? 'ltr' : null);
    if (own && own !== page) block.setAttribute('dir', own);
  }
}
