// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "handleDisabledFileLoadingAsSuccess": true } }
import { expect, it } from 'vitest';
import type { Article } from '../ipc';
import { TYPOGRAPHY_DEFAULTS } from '../state/settings.svelte';
import { article, words } from '../testing/article';
import { policy } from './article-page';
import { articleDocument } from './article-window';
import { typographyStyle } from './typography';

const HTML = [
  '<p>Text<sup><a href="#fn1" id="r1">1</a></sup> and <a href="#later">later</a></p>',
  '<pre>code</pre><p id="later"><img src="https://a.example/x.png" alt="A field" width="300" height="200"></p>',
  '<p><img src="https://a.example/kept.png"></p><ol><li id="fn1">A note. <a href="#r1">↩</a></li></ol>',
].join('');

const build = async (parts: Partial<Article>, images: boolean, eager: boolean): Promise<Document> => {
  const html = await articleDocument(
    { ...article, html: HTML, ...parts },
    {
      policy: policy("'self'", images),
      stylesheet: '/assets/article.css',
      theme: 'dark',
      style: typographyStyle(TYPOGRAPHY_DEFAULTS, 16),
      images,
      words,
      eager,
    },
  );
  return new DOMParser().parseFromString(html, 'text/html');
};

const images = (doc: Document) =>
  [...doc.querySelectorAll('.gl-body img')].map((image) => [image.getAttribute('src'), image.getAttribute('loading')]);

it('is a complete document that needs no script and no main window', async () => {
  const doc = await build({ offer_full_text: true, categories: ['Farming'] }, true, false);
  expect(doc.documentElement.dataset['theme']).toBe('dark');
  expect(doc.documentElement.lang).toBe('en');
  expect((await build({ language: null }, true, false)).documentElement.lang).toBe('und');
  expect(doc.querySelector('h1')?.textContent).toBe(article.title);
  expect(doc.querySelectorAll('script')).toHaveLength(0);
  expect(doc.documentElement.outerHTML).not.toMatch(/gleaner-act|about:srcdoc|data-gl-src/);
  expect(doc.querySelectorAll('.gl-more, .gl-copy, .gl-note-go')).toHaveLength(0);
  expect(doc.querySelector('.gl-categories')?.textContent).toContain('Farming');
  const inside = [...doc.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('target'));
  expect(inside.length).toBeGreaterThan(0);
  expect(new Set(inside)).toEqual(new Set(['_self']));
  // Footnotes open by the browser's popover API.
  expect(doc.querySelector('button.gl-ref')?.getAttribute('popovertarget')).toBe('gl-note-0');
  expect([...doc.querySelectorAll('link[rel=stylesheet]')].map((link) => link.getAttribute('href'))).toEqual([
    '/assets/article.css',
    '/user.css',
  ]);
});

it('loads remote images only if they are allowed, when they come near or at once', async () => {
  const stored = { url: 'https://a.example/kept.png', local_url: 'gleaner-image://localhost/ab' };
  expect(images(await build({ offline_images: [stored] }, true, false))).toEqual([
    ['https://a.example/x.png', 'lazy'],
    ['gleaner-image://localhost/ab', 'lazy'],
  ]);
  expect(images(await build({ offline_images: [stored] }, false, true))).toEqual([
    [null, null],
    ['gleaner-image://localhost/ab', null],
  ]);
});

it('marks the tables that are too wide for paper', async () => {
  const table = (cells: string) => `<table><tr><th>Head</th></tr><tr>${cells}</tr></table>`;
  const html = [7, 8, 14].map((count) => table('<td>1</td>'.repeat(count))).join('') + table('<td colspan="8">1</td>');
  const classes = async (print: boolean) =>
    [...(await build({ html }, true, print)).querySelectorAll('.gl-body table')].map(({ className }) => className);
  expect(await classes(true)).toEqual(['', 'gl-wide', 'gl-wide gl-wider', 'gl-wide']);
  expect(await classes(false)).toEqual(['', '', '', '']);
});
