// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { Article } from '../ipc';
import { LOOK } from '../state/settings.svelte';
import { lookStyle } from './look';
import { direction } from './directions';
import {
  articlePage,
  fill,
  hasRemotePictures,
  holdPictures,
  pageSource,
  placeOfKept,
  policy,
  policyOf,
  type PageOptions,
} from './article-page';

const article: Article = {
  id: 1,
  feed_id: 1,
  feed_title: 'A & B <i>',
  feed_home_url: 'https://example.com/',
  title: 'One < two & "three"',
  author: null,
  published: null,
  updated: null,
  url: 'https://example.com/1',
  html: '<p>Text</p>',
  language: 'en',
  read: true,
  starred: false,
  word_count: 1,
  reading_minutes: 1,
  enclosures: [],
  comments_url: null,
  comments_count: null,
  has_comments_feed: false,
  has_chapters: false,
  source: null,
  via: [],
  hidden: false,
  kept: false,
  tags: [],
  progress: null,
  playback: [],
  categories: [],
  elsewhere: [],
  full: false,
  has_full_text: false,
  offer_text: false,
  fetch_text: false,
  full_text_trouble: null,
  kept_pictures: [],
  versions: [],
};
const options: PageOptions = {
  pictures: true,
  token: 'abc',
  words: {
    direction: 'ltr',
    byline: 'By <b>',
    empty: 'No text',
    comments: 'Comments',
    elsewhere: 'The same story in',
    attachments: 'Attachments',
    source: 'Source',
    via: 'Via',
    untitled: 'Untitled',
    openSite: 'Read it',
    enclosure: (one) => one.url,
    zoom: (alt) => `Show ${alt}`,
    note: (sign) => `Note ${sign}`,
    goTo: 'Go to the note',
  },
};
const empty = (under = policy('tauri://localhost', true)) =>
  pageSource({
    policy: under,
    stylesheet: 'tauri://localhost/assets/article.css',
    theme: 'dark',
    style: lookStyle(LOOK, 20),
  });
const page = (part: Partial<Article> = {}, more: Partial<PageOptions> = {}) =>
  articlePage({ ...article, ...part }, { ...options, ...more }).body.innerHTML;

describe('the page of an article', () => {
  it('credits where it is from, by links to the web only', () => {
    const credits = {
      source: { title: 'The <Corpus>', url: 'https://corpus.example/' },
      via: [
        { title: 'A', url: 'javascript:alert(1)' },
        { title: 'B', url: null },
      ],
    };
    const html = page(credits);
    expect(html).toContain(
      'Source: <a href="https://corpus.example/" rel="noreferrer noopener">The &lt;Corpus&gt;</a>',
    );
    expect(html).toContain('<p>Via: A, B</p>');
    expect(page()).not.toContain('Source:');
  });

  it('escapes all that is text', () => {
    const html = page();
    expect(html).toContain('One &lt; two &amp; "three"');
    expect(html).toContain('A &amp; B &lt;i&gt;');
    expect(html).toContain('By &lt;b&gt;');
  });

  it('has a policy that allows nothing but pictures, media and its own style sheet', () => {
    expect(policy('tauri://localhost', true)).toContain("default-src 'none'; img-src http: https: data:");
    expect(policy('tauri://localhost', true)).not.toContain('script');
    expect(policy('tauri://localhost', false)).not.toMatch(/https?:/);
    expect(empty()).toMatch(/<meta http-equiv="Content-Security-Policy"[^>]*>.*<link rel="stylesheet"/);
  });

  it('opens links outside and tells nobody where from', () => {
    expect(empty()).toContain('<meta name="referrer" content="no-referrer"><base target="_blank">');
  });

  it('takes no odd schemes as its own links', () => {
    const html = page({ url: 'javascript:alert(1)', feed_home_url: 'data:text/html,x', comments_url: 'file:///etc' });
    expect(html).not.toMatch(/javascript:|data:text|file:/);
  });

  it('says so where the feed gives no text', () => {
    expect(page({ html: '  ' })).toContain('No text');
  });

  it('has the language and the direction of the text', () => {
    expect(articlePage({ ...article, language: 'ar' }, options)).toMatchObject({ language: 'ar', direction: 'rtl' });
    expect(articlePage({ ...article, language: null }, options)).toMatchObject({ language: null, direction: 'auto' });
    expect([direction('he-IL'), direction('de'), direction('arn')]).toEqual(['rtl', 'ltr', 'ltr']);
  });

  it('lists files, and leaves sound and film to their players', () => {
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

describe('the page in the frame', () => {
  const frame = (source: string) => new DOMParser().parseFromString(source.replace(/<link[^>]*>/, ''), 'text/html');

  it('takes one article after the other, and nothing stays of the one before', () => {
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
  it('stay in it where they lead to a part that is there', () => {
    const html = page({
      html: '<p><a href="https://example.com/1#n">1</a><a href="#n">2</a><a href="#gone">3</a></p><p id="n">Note</p>',
    });
    expect(html.match(/href="about:srcdoc#n" target="_self"/g)).toHaveLength(2);
    expect(html).not.toMatch(/href="about:srcdoc#gone"[^>]*_self/);
  });

  it('leave links to other pages alone', () => {
    expect(page({ html: '<a href="https://other.org/#n">x</a><p id="n">y</p>' })).not.toContain('_self');
  });
});

describe('pictures that are kept', () => {
  const here = 'gleaner-image://localhost/ab';
  const html =
    '<p><img src="https://e.org/a.png" srcset="https://e.org/b.png 2x" alt="A"><img src="https://e.org/c.png"></p>';
  const kept_pictures = [{ url: 'https://e.org/a.png', here }];

  it('come from where they are kept, and nothing else of that place is allowed', () => {
    const shown = page({ html, kept_pictures });
    expect(shown).toContain(`data-gl-src="${here}"`);
    expect(shown).not.toContain('b.png');
    expect(page({ html })).not.toContain('gleaner-image');
    const place = placeOfKept({ ...article, kept_pictures });
    expect(policy('tauri://localhost', true, place)).toContain('img-src http: https: data: gleaner-image:;');
  });

  it('are shown where others are off', () => {
    const shown = page({ html, kept_pictures }, { pictures: false });
    expect(shown).toContain(`data-gl-src="${here}"`);
    expect(shown).not.toContain('e.org/');
    const place = placeOfKept({ ...article, kept_pictures });
    expect(policy('tauri://localhost', false, place)).toContain('img-src data: gleaner-image:;');
  });

  it('come by http where no other protocol is known, from one origin', () => {
    const windows = { url: 'https://e.org/a.png', here: 'http://gleaner-image.localhost/ab' };
    expect(placeOfKept({ ...article, kept_pictures: [windows] })).toBe('http://gleaner-image.localhost');
    expect(placeOfKept(article)).toBeNull();
  });

  it('leave nothing to ask about', () => {
    expect(hasRemotePictures({ ...article, html, kept_pictures })).toBe(true);
    const all = [...kept_pictures, { url: 'https://e.org/c.png', here }];
    expect(hasRemotePictures({ ...article, html, kept_pictures: all })).toBe(false);
    expect(hasRemotePictures({ ...article, html: '<img src="data:image/png;base64,AA">' })).toBe(false);
  });
});

describe('pictures that wait', () => {
  const held = (html: string, pictures = true) => {
    const box = document.createElement('div');
    box.innerHTML = html;
    holdPictures(box, pictures);
    return box;
  };

  it('are not asked for before they are near, and keep their room', () => {
    const image = held(
      '<img src="https://e.org/a.png" srcset="https://e.org/b.png 2x" width="640" height="360" loading="lazy">',
    ).querySelector('img')!;
    expect(image.getAttribute('src')).toMatch(/^data:image\/svg/);
    expect(image.hasAttribute('srcset')).toBe(false);
    expect(image.dataset['glSrc']).toBe('https://e.org/a.png');
    expect(image.dataset['glSrcset']).toBe('https://e.org/b.png 2x');
    expect(image.getAttribute('referrerpolicy')).toBe('no-referrer');
  });

  it('are not there at all when pictures are off', () => {
    const box = held(
      '<picture><source srcset="https://e.org/c.webp"><img src="https://e.org/a.png" alt="A hill"></picture><video poster="https://e.org/p.png"></video>',
      false,
    );
    expect(box.innerHTML).not.toContain('e.org');
    expect(box.querySelector('img.gl-off')).not.toBeNull();
  });

  it('of a video wait, too', () => {
    const video = '<video poster="https://e.org/p.png" src="https://e.org/v.mp4"></video>';
    const poster = (html: string, pictures?: boolean) => {
      const shown = held(html, pictures).querySelector('video')!;
      return [shown.getAttribute('poster'), shown.getAttribute('data-gl-poster')];
    };
    expect(poster(video)).toEqual([null, 'https://e.org/p.png']);
    expect(poster(video, false)).toEqual([null, null]);
    expect(poster('<video poster="data:image/png;base64,AA"></video>')).toEqual(['data:image/png;base64,AA', null]);
    const box = document.implementation.createHTMLDocument();
    box.body.innerHTML = video;
    holdPictures(box, false, new Map([['https://e.org/p.png', 'kept:p']]));
    expect(box.querySelector('video')!.dataset['glPoster']).toBe('kept:p');
  });

  it('leave pictures within the page alone', () => {
    expect(held('<img src="data:image/png;base64,AA">').querySelector('img')!.getAttribute('src')).toBe(
      'data:image/png;base64,AA',
    );
  });

  it('survive strange sizes', () => {
    const image = held('<img src="https://e.org/a.png" width="100%" height="-3">').querySelector('img')!;
    expect(image.getAttribute('src')).toMatch(/^data:/);
  });
});
