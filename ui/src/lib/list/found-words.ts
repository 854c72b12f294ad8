/** The words that a search looked for, as far as they can be marked in an article: those that its result shows, and the query's plain ones. */
import type { SearchHit, TextRange } from '../ipc';

export type FoundWord = { readonly text: string; readonly begins: boolean };

function marked(text: string, marks: readonly TextRange[]): FoundWord[] {
  return marks.map(({ from, until }) => ({
    text: text.slice(from, until),
    // Marked to the middle of a word: only its beginning was looked for.
    begins: /^[\p{L}\p{N}]/u.test(text.slice(until)),
  }));
}

/** What stands in a query without a field, an operator or a minus before it. */
export function plainWords(query: string): FoundWord[] {
  const found: FoundWord[] = [];
  for (const [, before = '', phrase, word] of query.matchAll(/(-?[\p{L}_]+:|-)?(?:"([^"]*)"|([^\s()"]+))/gu)) {
    if (before !== '') continue;
    const text = (phrase ?? word ?? '').trim();
    if (phrase === undefined && /^(?:AND|OR|NOT|-.*|.*:.*)$/.test(text)) continue;
    found.push({ text: text.replace(/\*+$/, ''), begins: text.endsWith('*') });
  }
  return found;
}

export function foundWords(query: string, hit: SearchHit): FoundWord[] {
  const words = [
    ...marked(hit.row.title, hit.title_marks),
    ...marked(hit.snippet, hit.snippet_marks),
    ...plainWords(query),
  ];
  const known = new Map<string, FoundWord>();
  for (const word of words) {
    const key = word.text.toLowerCase();
    if (key.trim() !== '' && !known.get(key)?.begins) known.set(key, word);
  }
  return [...known.values()];
}
