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
