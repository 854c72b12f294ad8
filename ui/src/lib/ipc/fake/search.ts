/** The fake's search: words, `is:` and quotation marks, as far as a window needs them to be tried. */
import type { Search, SearchAnswer, TextRange } from '../generated';
import type { FakeArticle } from './articles';
import { row } from './library';

const STATES = ['unread', 'read', 'starred'] as const;

function marks(text: string, words: readonly string[]): TextRange[] {
  const low = text.toLowerCase();
  return words
    .flatMap((word) => {
      const from = low.indexOf(word);
      return from < 0 ? [] : [{ from, until: from + word.length }];
    })
    .toSorted((a, b) => a.from - b.from);
}

export function find(articles: readonly FakeArticle[], { query, order, after, limit }: Search): SearchAnswer {
  const quote = query.indexOf('"');
  if (quote >= 0 && query.indexOf('"', quote + 1) < 0) {
    const part = { from: quote, until: query.length };
    return { kind: 'not_understood', problem: { kind: 'unclosed_quote' }, part, suggestion: null };
  }
  const asked = query
    .toLowerCase()
    .split(/[\s"*]+/)
    .filter(Boolean);
  const words = asked.filter((word) => !word.startsWith('is:'));
  const states = asked.filter((word) => word.startsWith('is:')).map((word) => word.slice(3));
  const wrong = states.find((state) => !STATES.some((known) => known === state));
  if (wrong !== undefined) {
    const from = query.toLowerCase().indexOf(`is:${wrong}`) + 3;
    return {
      kind: 'not_understood',
      problem: { kind: 'not_one_of', field: 'is', takes: [...STATES], meant: 'unread' },
      part: { from, until: from + wrong.length },
      suggestion: `${query.slice(0, from)}unread${query.slice(from + wrong.length)}`,
    };
  }
  const holds = (article: FakeArticle, state: string) =>
    state === 'unread' ? !article.read : state === 'read' ? article.read : article.starred;
  const found = articles.filter(
    (article) =>
      states.every((state) => holds(article, state)) &&
      words.every((word) => `${article.title} ${article.excerpt}`.toLowerCase().includes(word)),
  );
  const fit = (article: FakeArticle) => marks(article.title, words).length;
  if (order === 'relevance') found.sort((a, b) => fit(b) - fit(a));
  const start = Number(after ?? 0);
  return {
    kind: 'found',
    hits: found.slice(start, start + limit).map((article) => ({
      row: row(article),
      title_marks: marks(article.title, words),
      snippet: article.excerpt,
      snippet_marks: marks(article.excerpt, words),
    })),
    next: start + limit < found.length ? String(start + limit) : null,
    waiting: 0,
  };
}
