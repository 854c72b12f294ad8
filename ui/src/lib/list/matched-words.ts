/** Words of a search to highlight in an article: those marked in its result, and plain words of the query. */
import type { SearchHit, TextRange } from '../ipc';

type FoundWord = { readonly text: string; readonly begins: boolean };

function marked(text: string, marks: readonly TextRange[]): FoundWord[] {
  return marks.map(({ from, until }) => ({
    text: text.slice(from, until),
    // Marked up to the middle of a word: the search was for a word beginning.
    begins: /^[\p{L}\p{N}]/u.test(text.slice(until)),
  }));
}

/** A field or a minus, then a phrase in quotation marks or a word. */
const TERM =
  /(-?[\p{L}_]+:|-)?(?:("[^"]*"|[“”„‟][^"“”„‟]*["“”„‟]|«[^»]*»|»(?!\s)[^«»]*[«»]|「[^」]*」|『[^』]*』)|([^\s()"]+))/gu;

/** Returns the words of a query without a field, an operator or a minus. */
export function plainWords(query: string): FoundWord[] {
  const found: FoundWord[] = [];
  let negated = false;
  for (const [, before = '', phrase, word] of query.matchAll(TERM)) {
    if (before === '' && word === 'NOT') {
      negated = !negated;
      continue;
    }
    const skipped = negated || before !== '';
    negated = false;
    if (skipped) continue;
    const text = (phrase?.slice(1, -1) ?? word ?? '').trim();
    if (phrase === undefined && /^(?:AND|OR|-.*|.*:.*)$/.test(text)) continue;
    found.push({ text: text.replace(/\*+$/, ''), begins: text.endsWith('*') });
  }
  return found;
}

export function foundWords(query: string, result: SearchHit): FoundWord[] {
  const words = [
    ...marked(result.row.title, result.title_marks),
    ...marked(result.snippet, result.snippet_marks),
    ...plainWords(query),
  ];
  const known = new Map<string, FoundWord>();
  for (const word of words) {
    const key = word.text.toLowerCase();
    if (key.trim() !== '' && !known.get(key)?.begins) known.set(key, word);
  }
  return [...known.values()];
}
