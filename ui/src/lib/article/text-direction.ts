/** Text direction. Its letters are a better sign than the language that the feed declares. */
const RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]|\ud802|\ud803|\ud83a|\ud83b/g;
const LETTERS = /\p{L}/gu;
/** Number of characters examined. */
const SAMPLE = 4000;
/** Minimum number of letters for a result. */
const MIN_LETTERS = 3;
const MIN_SCRIPT_LETTERS = 40;

/** Returns `null` if there are too few letters. */
export function textDirection(text: string): 'rtl' | 'ltr' | null {
  const sample = text.slice(0, SAMPLE);
  const right = sample.match(RIGHT)?.length ?? 0;
  if (right === 0) return null;
  const letters = sample.match(LETTERS)?.length ?? 0;
  if (letters < MIN_LETTERS) return null;
  return right * 2 > letters ? 'rtl' : 'ltr';
}

/** Returns the direction of a language; "auto" if there is none, so that the text decides. */
export function direction(language: string | null, text = ''): 'rtl' | 'ltr' | 'auto' {
  const byLetters = textDirection(text);
  if (byLetters) return byLetters;
  if (!language) return 'auto';
  const right = /^(ar|he|iw|fa|ur|yi|ji|dv|ps|sd|ug|ckb|syr|arc)\b/i.test(language);
  // An article without a letter of the declared script is in another language.
  return right && (text.slice(0, SAMPLE).match(LETTERS)?.length ?? 0) < MIN_SCRIPT_LETTERS ? 'rtl' : 'ltr';
}

/**
 * Returns the direction of a title. A title with letters of both directions has the direction of its article's text: an Arabic title that
 * begins with a name in Latin letters stays right-to-left.
 */
export const titleDirection = (title: string, text: string): 'rtl' | 'ltr' | 'auto' =>
  (title.search(RIGHT) >= 0 && textDirection(`${title} ${text}`)) || 'auto';

const BLOCKS = 'p, li, h1, h2, h3, h4, h5, h6, blockquote, td, th, dd, dt, figcaption';

/** Marks blocks whose direction differs from the page's, such as an Arabic quotation in an English text. */
export function blockDirections(root: Element, page: 'rtl' | 'ltr' | 'auto'): void {
  if ((root.textContent ?? '').search(RIGHT) < 0) return;
  for (const block of root.querySelectorAll(BLOCKS)) {
    if (block.hasAttribute('dir')) continue;
    const text = block.textContent ?? '';
    const own = textDirection(text) ?? (/\p{L}{3}/u.test(text) ? 'ltr' : null);
    if (own && own !== page) block.setAttribute('dir', own);
  }
}
