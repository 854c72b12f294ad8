// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import type { Article } from '../ipc';
import { TYPOGRAPHY_DEFAULTS } from '../state/settings.svelte';
import { typographyStyle } from './typography';
import { direction } from './text-direction';
import { article, words } from '../testing/article';
import {
  articlePage,
  fill,
  hasRemoteImages,
  deferImages,
  pageKey,
  pageSource,
  offlineImageSource,
  policy,
  policyOf,
  type PageOptions,
} from './article-page';

const options: PageOptions = {
  images: true,
  token: 'abc',
  words,
  player: true,
};
const empty = (under = policy('tauri://localhost', true)) =>
  pageSource({
    policy: under,
    stylesheet: 'tauri://localhost/assets/article.css',
    theme: 'dark',
    style: typographyStyle(TYPOGRAPHY_DEFAULTS, 20),
  });
const page = (part: Partial<Article> = {}, more: Partial<PageOptions> = {}) =>
  articlePage({ ...article, ...part }, { ...options, ...more }).body.innerHTML;

describe('article page', () => {
  it('is made again when the text of the article changes, and not for its marks', () => {
    const key = (part: Partial<Article> = {}) => pageKey({ ...article, ...part }, true, 'en');
    for (const part of [{ html: '<p>Corrected.</p>' }, { title: 'Corrected' }, { author: 'Corrected' }])
      expect(key(part)).not.toBe(key());
    expect(key({ read: !article.read, starred: !article.starred, kept: !article.kept, tags: ['Later'] })).toBe(key());
  });

  it('names each other feed with the article once', () => {
    const duplicate = (feed_id: number, feed_title: string) => ({ article_id: 7, feed_id, feed_title });
    const own = duplicate(article.feed_id, 'Own feed');
    const html = page({ duplicates: [duplicate(3, 'Wire'), own, duplicate(4, 'Agency'), duplicate(3, 'Wire')] });
    expect(html).toContain('<p>The same story in: <bdi>Wire</bdi>, <bdi>Agency</bdi></p>');
    expect(page({ duplicates: [own] })).not.toContain('The same story in');
  });

  it('has categories as quiet text at the end', () => {
    const html = page({ html: '<p>Text</p>', categories: ['Boats & nets', 'Sea'] });
    expect(html.indexOf('gl-categories')).toBeGreaterThan(html.indexOf('Text'));
    expect(html).toContain('Categories: <a href="gleaner-act://abc/category/0"><bdi>Boats &amp; nets</bdi></a>, ');
    expect(page({ categories: [] })).not.toContain('gl-categories');
  });

  it('gives a title that begins with a Latin name the direction of its text', () => {
    const html = page({ title: 'GitHub Actions: دليل للمبتدئين', html: '<p>نص المقال هنا مع رابط</p>' });
    expect(html).toContain('<h1 class="gl-title" dir="rtl">');
    expect(page({ title: 'Barley!', html: '<p>نص المقال هنا</p>' })).toContain('<h1 class="gl-title" dir="auto">');
  });

  it('names the platform whose hyphenation is wrong in some languages', () => {
    const agent = vi.spyOn(navigator, 'userAgent', 'get');
    agent.mockReturnValue('Mozilla/5.0 (X11; Linux x86_64)');
    expect(empty()).toContain('<html data-theme="dark" data-platform="linux" style');
    agent.mockReturnValue('Mozilla/5.0 (Macintosh)');
    expect(empty()).not.toContain('data-platform');
    agent.mockRestore();
  });

  it('offers the full article where the excerpt stops', () => {
    const html = page({ html: '<p>Only the start …</p>', offer_full_text: true });
    expect(html.indexOf('gl-more')).toBeGreaterThan(html.indexOf('Only the start'));
    expect(html).toContain('<a href="gleaner-act://abc/full_text/0" dir="ltr">Load full article</a>');
    expect(page({ offer_full_text: true, shows_full_text: true })).not.toContain('gl-more');
    expect(page({ offer_full_text: false })).not.toContain('gl-more');
  });

  it('credits sources with links to web addresses only', () => {
    const credits = {
      source: { title: 'The <Corpus>', url: 'https://corpus.example/' },
      via: [
        { title: 'A', url: 'javascript:alert(1)' },
        { title: 'B', url: null },
      ],
    };
    const html = page(credits);
    expect(html).toContain(
      'Source: <bdi><a href="https://corpus.example/" rel="noreferrer noopener">The &lt;Corpus&gt;</a></bdi>',
    );
    expect(html).toContain('<p>Via: <bdi>A</bdi>, <bdi>B</bdi></p>');
    expect(page()).not.toContain('Source:');
  });

  it('shows the text of a post without a title once', () => {
    const text = '<p>Nothing but the first line</p><p>And another</p>';
    expect(page({ title: 'Nothing but the first…', html: text })).not.toContain('<h1');
    expect(page({ title: 'Nothing but the first line', html: text })).not.toContain('<h1');
    expect(page({ title: 'Nothing', html: text })).toContain('<h1');
    expect(page({ title: 'Nothing but the first line', html: text }, { titleHtml: '<ins>N</ins>' })).toContain('<h1');
  });

  it('breaks the lines of a very long article in the fast way', () => {
    expect(page({ html: '<p>Rye.</p>' })).not.toContain('gl-long');
    expect(page({ html: `<p>${'Rye and wheat. '.repeat(20_000)}</p>` })).toContain('<main class="gl-body gl-long">');
  });

  it('escapes plain text', () => {
    const html = page();
    expect(html).toContain('One &lt; two &amp; "three"');
    expect(html).toContain('A &amp; B &lt;i&gt;');
    expect(html).toContain('By &lt;b&gt;');
  });

  it('breaks the line below the title before its separators', () => {
    const byline = 'By A·B | Tuesday, 3 May · 28 minutes';
    expect(page({}, { words: { ...words, byline } })).toContain(
      '<span>By A·B</span> <span><i>|</i> Tuesday, 3 May</span> <span><i>·</i> 28 minutes</span>',
    );
  });

  it('has a policy that allows only images, media and its own style sheet', () => {
    expect(policy('tauri://localhost', true)).toContain("default-src 'none'; img-src http: https: data:");
    expect(policy('tauri://localhost', true)).not.toContain('script');
    expect(policy('tauri://localhost', false)).not.toMatch(/https?:/);
    expect(empty()).toMatch(/<meta http-equiv="Content-Security-Policy"[^>]*>.*<link rel="stylesheet"/);
  });

  it('opens links externally without a referrer', () => {
    expect(empty()).toContain('<meta name="referrer" content="no-referrer"><base target="_blank">');
  });

  it('rejects other URL schemes for its own links', () => {
    const html = page({ url: 'javascript:alert(1)', feed_home_url: 'data:text/html,x', comments_url: 'file:///etc' });
    expect(html).not.toMatch(/javascript:|data:text|file:/);
  });

  it('says if the feed provides no text', () => {
    expect(page({ html: '  ' })).toContain('No text');
  });

  it('has the language and direction of the text', () => {
    expect(articlePage({ ...article, language: 'ar' }, options)).toMatchObject({ language: 'ar', direction: 'rtl' });
    expect(articlePage({ ...article, language: null }, options)).toMatchObject({ language: null, direction: 'auto' });
    expect([direction('he-IL'), direction('de'), direction('arn')]).toEqual(['rtl', 'ltr', 'ltr']);
  });

  it('lists files but leaves audio and video to the player', () => {
    const html = page({
      enclosures: [
        { url: 'https://example.com/a.pdf', mime_type: 'application/pdf', length: 1, duration: null, title: null },
        { url: 'https://example.com/a.mp3', mime_type: 'audio/mpeg', length: 1, duration: null, title: null },
      ],
    });
    expect(html).toContain('a.pdf');
    expect(html).not.toContain('a.mp3');
  });
});

describe('page in the frame', () => {
  const frame = (source: string) => new DOMParser().parseFromString(source.replace(/<link[^>]*>/, ''), 'text/html');

  it('replaces articles completely', () => {
    const doc = frame(empty());
    expect(policyOf(doc)).toBe(policy('tauri://localhost', true));
    fill(
      doc,
      articlePage({ ...article, html: '<p id="first">One</p><p><img src="https://e.org/a.png"></p>' }, options),
    );
    expect(doc.querySelector('main.gl-body > #first')?.textContent).toBe('One');
    expect([doc.title, doc.documentElement.lang]).toEqual([article.title, 'en']);
    const other = { ...article, title: 'Two', language: null, html: 'Only words' };
    fill(doc, articlePage(other, options));
    expect(doc.querySelector('main.gl-body')?.textContent).toBe('Only words');
    expect(doc.querySelectorAll('main, header')).toHaveLength(2);
    expect(doc.querySelector('#first, img')).toBeNull();
    expect([doc.title, doc.documentElement.hasAttribute('lang')]).toEqual(['Two', false]);
    expect(doc.documentElement.dataset['theme']).toBe('dark');
  });
});

describe('links within the page', () => {
  it('stay in the page if their target exists', () => {
    const html = page({
      html: '<p><a href="https://example.com/1#n">1</a><a href="#n">2</a><a href="#gone">3</a></p><p id="n">Note</p>',
    });
    expect(html.match(/href="about:srcdoc#n" target="_self"/g)).toHaveLength(2);
    expect(html).not.toMatch(/href="about:srcdoc#gone"[^>]*_self/);
  });

  it('leave links to other pages unchanged', () => {
    expect(page({ html: '<a href="https://other.org/#n">x</a><p id="n">y</p>' })).not.toContain('_self');
  });
});

describe('downloaded images', () => {
  const here = 'gleaner-image://localhost/ab';
  const html =
    '<p><img src="https://e.org/a.png" srcset="https://e.org/b.png 2x" alt="A"><img src="https://e.org/c.png"></p>';
  const offline_images = [{ url: 'https://e.org/a.png', local_url: here }];

  it('are loaded from their local source, and nothing else from there is allowed', () => {
    const shown = page({ html, offline_images });
    expect(shown).toContain(`data-gl-src="${here}"`);
    expect(shown).not.toContain('b.png');
    expect(page({ html })).not.toContain('gleaner-image');
    const place = offlineImageSource({ ...article, offline_images });
    expect(policy('tauri://localhost', true, place)).toContain('img-src http: https: data: gleaner-image:;');
  });

  it('are shown even if images are turned off', () => {
    const shown = page({ html, offline_images }, { images: false });
    expect(shown).toContain(`data-gl-src="${here}"`);
    expect(shown).not.toContain('e.org/');
    const place = offlineImageSource({ ...article, offline_images });
    expect(policy('tauri://localhost', false, place)).toContain('img-src data: gleaner-image:;');
  });

  it('are loaded by http from one origin on systems without custom protocols', () => {
    const windows = { url: 'https://e.org/a.png', local_url: 'http://gleaner-image.localhost/ab' };
    expect(offlineImageSource({ ...article, offline_images: [windows] })).toBe('http://gleaner-image.localhost');
    expect(offlineImageSource(article)).toBeNull();
  });

  it('do not count as remote images', () => {
    expect(hasRemoteImages({ ...article, html, offline_images })).toBe(true);
    const all = [...offline_images, { url: 'https://e.org/c.png', local_url: here }];
    expect(hasRemoteImages({ ...article, html, offline_images: all })).toBe(false);
    expect(hasRemoteImages({ ...article, html: '<img src="data:image/png;base64,AA">' })).toBe(false);
  });
});

describe('deferred images', () => {
  const deferred = (html: string, images = true) => {
    const box = document.createElement('div');
    box.innerHTML = html;
    deferImages(box, images);
    return box;
  };

  it('are not requested until they are near, and keep their space', () => {
    const image = deferred(
      '<img src="https://e.org/a.png" srcset="https://e.org/b.png 2x" width="640" height="360" loading="lazy">',
    ).querySelector('img')!;
    expect(image.getAttribute('src')).toMatch(/^data:image\/svg/);
    expect(image.hasAttribute('srcset')).toBe(false);
    expect(image.dataset['glSrc']).toBe('https://e.org/a.png');
    expect(image.dataset['glSrcset']).toBe('https://e.org/b.png 2x');
    expect(image.getAttribute('referrerpolicy')).toBe('no-referrer');
  });

  it('are removed if images are turned off', () => {
    const box = deferred(
      '<picture><source srcset="https://e.org/c.webp"><img src="https://e.org/a.png" alt="A hill"></picture><video poster="https://e.org/p.png"></video>',
      false,
    );
    expect(box.innerHTML).not.toContain('e.org');
    expect(box.querySelector('img.gl-off')).not.toBeNull();
  });

  it('leave a place if images are turned off and they have no text', () => {
    const box = deferred(
      '<img src="https://www.e.org/a.png"><img src="https://e.org/b.png" alt=""><img src="https://e.org/c.gif" width="1" height="1">',
      false,
    );
    const images = [...box.querySelectorAll('img')];
    expect(images.map((image) => [image.className, image.dataset['glHost'] ?? ''])).toEqual([
      ['gl-off gl-blank', 'www.e.org'],
      ['', ''],
      ['', ''],
    ]);
    expect(box.querySelector('[src]')).toBeNull();
  });

  it('include posters of videos', () => {
    const video = '<video poster="https://e.org/p.png" src="https://e.org/v.mp4"></video>';
    const poster = (html: string, images?: boolean) => {
      const shown = deferred(html, images).querySelector('video')!;
      return [shown.getAttribute('poster'), shown.getAttribute('data-gl-poster')];
    };
    expect(poster(video)).toEqual([null, 'https://e.org/p.png']);
    expect(poster(video, false)).toEqual([null, null]);
    expect(poster('<video poster="data:image/png;base64,AA"></video>')).toEqual(['data:image/png;base64,AA', null]);
    const box = document.implementation.createHTMLDocument();
    box.body.innerHTML = video;
    deferImages(box, false, new Map([['https://e.org/p.png', 'kept:p']]));
    expect(box.querySelector('video')!.dataset['glPoster']).toBe('kept:p');
  });

  it('do not include data URLs', () => {
    expect(deferred('<img src="data:image/png;base64,AA">').querySelector('img')!.getAttribute('src')).toBe(
      'data:image/png;base64,AA',
    );
  });

  it('tolerate invalid sizes', () => {
    const image = deferred('<img src="https://e.org/a.png" width="100%" height="-3">').querySelector('img')!;
    expect(image.getAttribute('src')).toMatch(/^data:/);
  });
});
