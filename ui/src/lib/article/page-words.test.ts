import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { setCatalogue } from '../messages';
import en from '../messages/en.json';
import { article } from '../testing/article';
import { pageWords } from './page-words';

const use = (language: string): void =>
  setCatalogue(
    JSON.parse(readFileSync(join(import.meta.dirname, `../messages/${language}.json`), 'utf8')) as typeof en,
    language,
  );
afterEach(() => setCatalogue(en, 'en'));

describe('the place of an episode', () => {
  it.each([
    [{ season: 2, episode: 7 }, 'Season 2, episode 7'],
    [{ season: null, episode: 7.5 }, 'Episode 7.5'],
    [{ season: 2, episode: 7, season_name: 'Spring' }, 'Spring · Episode 7'],
    [{ season: 2, episode: 204, episode_display: 'Ch. 3' }, 'Season 2 · Ch. 3'],
    [{ season: null, episode: null, episode_display: 'Ch. 3' }, 'Ch. 3'],
  ])('%o is %s', (place, shown) => {
    const { byline } = pageWords({ ...article, author: null, published: null, reading_minutes: 0, ...place });
    expect(byline).toBe(shown);
  });
});

describe('a line with a list', () => {
  const parts = ['a', 'b <'].map((text) => ({ text, html: `<i>${text.replace('<', '&lt;')}</i>` }));

  it.each([
    ['en', 'Categories: <i>a</i> and <i>b &lt;</i>'],
    ['de', 'Kategorien: <i>a</i> und <i>b &lt;</i>'],
    ['fr', 'Catégories\u202f: <i>a</i> et <i>b &lt;</i>'],
    ['ja', 'カテゴリー：<i>a</i>、<i>b &lt;</i>'],
    ['zh', '分类：<i>a</i>和<i>b &lt;</i>'],
    ['ar', 'التصنيفات: <i>a</i> و<i>b &lt;</i>'],
  ])('has the punctuation of %s', (language, line) => {
    use(language);
    expect(pageWords(article).categories(parts)).toBe(line);
  });

  it('joins names by their sound', () => {
    use('es');
    const [names, html] = [['Arte', 'Ideas'], '<a></a>'];
    expect(pageWords(article).categories(names.map((text) => ({ text, html })))).toBe('Categorías: <a></a> e <a></a>');
  });
});
