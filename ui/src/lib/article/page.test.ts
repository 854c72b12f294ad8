// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { pageActionLink, newToken, parsePageAction, removePageActions } from './page-actions';
import { readable, sentences } from './speech-text';
import { scrollBoxes } from './scroll-boxes';
import { blockDirections, direction, textDirection, titleDirection } from './text-direction';
import { popNotes } from './footnotes';
import { nearest, zoomImage, zoomable, zoomLinks } from './zoom';

const body = (html: string): HTMLElement => {
  const root = document.createElement('main');
  root.innerHTML = html;
  return root;
};
const words = { note: (sign: string) => `Note ${sign}`, goTo: 'Go' };

describe('the window’s links on a page', () => {
  const token = newToken();

  it('are distinguished from forged ones', () => {
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    expect(newToken()).not.toBe(token);
    expect(parsePageAction(pageActionLink(token, 'zoom', 3), token)).toEqual({ what: 'zoom', number: 3 });
    for (const forged of [
      pageActionLink(newToken(), 'zoom', 3),
      'gleaner-act:///zoom/3',
      'gleaner-act://undefined/zoom/3',
      `gleaner-act://${token}/open/3`,
      `gleaner-act://${token}/zoom/3/4`,
      `gleaner-act://${token}/zoom/-1`,
      `gleaner-act://${token}/zoom/`,
      `gleaner-act:/${token}/zoom/3`,
      `https://${token}/zoom/3`,
      '',
    ])
      expect(parsePageAction(forged, token), forged).toBeNull();
    // Before there is a page, an empty token must not match.
    expect(parsePageAction('gleaner-act:///zoom/3', '')).toBeNull();
  });

  it('are not copied', () => {
    const root = body(
      `<a href="${pageActionLink(token, 'zoom', 0)}"><img alt="x"></a><sup><button class="gl-ref">1</button></sup>`,
    );
    removePageActions(root);
    expect(root.innerHTML).toBe('<img alt="x"><sup>1</sup>');
  });
});

describe('footnotes', () => {
  const pops = (html: string) => {
    const root = body(html);
    const notes = body(popNotes(root, 't', words));
    return { root, notes: [...notes.children].map((note) => note.querySelector('.gl-note-text')?.textContent?.trim()) };
  };

  it.each([
    [
      'Markdown',
      '<p>a<sup id="u-fnref:1"><a href="#u-fn:1">1</a></sup></p><ol><li id="u-fn:1"><p>Hemp. <a href="#u-fnref:1">↩︎</a></p></li></ol>',
      'Hemp.',
    ],
    [
      'GitHub',
      '<p>a<sup><a href="#u-user-content-fn-1" id="u-user-content-fnref-1">1</a></sup></p><ol><li id="u-user-content-fn-1">Hemp. <a href="#u-user-content-fnref-1">↩</a></li></ol>',
      'Hemp.',
    ],
    [
      'Pandoc',
      '<p>a<a href="#u-fn1" id="u-fnref1"><sup>1</sup></a></p><section><ol><li id="u-fn1"><p>Hemp.<a href="#u-fnref1">↩︎</a></p></li></ol></section>',
      'Hemp.',
    ],
    [
      'Substack',
      '<p>a<a id="u-footnote-anchor-1" href="#u-footnote-1">1</a></p><div><a id="u-footnote-1" href="#u-footnote-anchor-1">1</a><div><p>Hemp.</p></div></div>',
      'Hemp.',
    ],
    [
      'WordPress',
      '<p>a<sup><a href="#u-5c1" id="u-5c1-link">1</a></sup></p><ol><li id="u-5c1">Hemp. <a href="#u-5c1-link">↩︎</a></li></ol>',
      'Hemp.',
    ],
    [
      'Wikipedia',
      '<p>a<sup id="u-cite_ref-1"><a href="#u-cite_note-1">[1]</a></sup></p><ol><li id="u-cite_note-1"><span><b><a href="#u-cite_ref-1">^</a></b></span> <span>Hemp.</span></li></ol>',
      'Hemp.',
    ],
    [
      'word processors',
      '<p>a<a href="#u-_ftn1" id="u-_ftnref1">[1]</a></p><hr><p><a href="#u-_ftnref1" id="u-_ftn1">[1]</a> Hemp.</p>',
      'Hemp.',
    ],
    ['signs', '<p>a<sup><a href="#u-x">*</a></sup></p><p id="u-x">Hemp.</p>', 'Hemp.'],
    ['definitions', '<p>a<sup><a href="#u-n1">1</a></sup></p><dl><dt id="u-n1">1</dt><dd>Hemp.</dd></dl>', 'Hemp.'],
  ])('of %s become popovers', (_, html, text) => {
    const { root, notes } = pops(html);
    expect(notes).toEqual([text]);
    const button = root.querySelector('button');
    expect(button?.getAttribute('popovertarget')).toBe('gl-note-0');
    expect(button?.getAttribute('aria-label')).toMatch(/^Note [1*]$/);
    expect(root.querySelector('[data-gl-note="0"]')).not.toBeNull();
  });

  it('keep the id of their link for the back link', () => {
    expect(
      pops('<p><a href="#u-fn1" id="u-r1">1</a></p><p id="u-fn1">x <a href="#u-r1">↩</a></p>').root.querySelector(
        '#u-r1',
      )?.tagName,
    ).toBe('BUTTON');
  });

  it('do not include other links within the page', () => {
    for (const html of [
      '<p><a href="#u-part">The part about boats</a></p><h2 id="u-part">Boats</h2>',
      '<p><a href="#u-c1">1</a></p><h2 id="u-c1">Chapter</h2>',
      '<p id="u-top">Up</p><p><a href="#u-top">1</a></p>',
      '<p><a href="#u-gone">1</a></p>',
      '<ol><li><a href="#u-p1">1</a></li></ol><p id="u-p1">A page of a table of contents.</p>',
    ])
      expect(pops(html).notes, html).toEqual([]);
  });

  it('load nothing until they are opened, and do not duplicate ids', () => {
    const { root } = pops(
      '<p><sup><a href="#u-fn1">1</a></sup></p><p id="u-fn1"><b id="u-b">x</b><img src="https://a.example/x.png" alt="Net"></p>',
    );
    const notes = popNotes(
      body(
        '<p><sup><a href="#u-fn1">1</a></sup></p><p id="u-fn1"><b id="u-b">x</b><img src="https://a.example/x.png" alt="Net"></p>',
      ),
      't',
      words,
    );
    expect(root.querySelectorAll('#u-b')).toHaveLength(1);
    expect(notes).not.toContain('u-b');
    expect(notes).not.toContain('<img');
    expect(notes).toContain('Net');
  });
});

describe('images', () => {
  const named = (alt: string) => `Show ${alt}`;

  it('can be enlarged by a link around them, or by a corner button inside a link of the article', () => {
    const root = body(
      '<p><img src="a" alt="A"></p><p><a href="https://x.example/"><img src="b" alt="B"></a></p><p><a href="/y">c <img src="c"></a></p><img src="d" width="16"><img class="gl-off" alt="E">',
    );
    zoomLinks(root, 't', named);
    expect(
      [...root.querySelectorAll('a[href^="gleaner-act:"]')].map((link) => [
        link.className,
        link.getAttribute('href'),
        link.getAttribute('aria-label'),
      ]),
    ).toEqual([
      ['gl-zoom', 'gleaner-act://t/zoom/0', 'Show A'],
      ['gl-corner', 'gleaner-act://t/zoom/1', 'Show B'],
    ]);
    expect(root.querySelector('a[href="https://x.example/"] img')).not.toBeNull();
    const page = document.implementation.createHTMLDocument();
    root.className = 'gl-body';
    page.body.append(root);
    // An image in a link with text gets no corner button, but the key still finds it.
    expect(zoomable(page).map(({ number }) => number)).toEqual([0, 1, 2]);
    // A formula has replaced the first image.
    root.querySelector('.gl-zoom')?.remove();
    expect(zoomable(page).map(({ number, image }) => [number, image.alt])).toEqual([
      [1, 'B'],
      [2, ''],
    ]);
  });

  it('have a caption, and below it their title, or else their alternative text', () => {
    const image = (attributes: string) =>
      zoomImage(
        body(
          `<figure><img data-gl-src="https://a.example/x.png" src="data:," ${attributes}><figcaption> Nets in <b>Kiel</b> </figcaption></figure>`,
        ).querySelector('img')!,
      );
    const shown = { src: 'https://a.example/x.png', srcset: '', caption: 'Nets in Kiel' };
    expect(image('alt="Nets"')).toEqual({ ...shown, alt: 'Nets', title: 'Nets' });
    expect(image('alt="Nets" title=" So it goes. "')).toEqual({ ...shown, alt: 'Nets', title: 'So it goes.' });
    expect(image('alt="Nets in Kiel"')).toEqual({ ...shown, alt: 'Nets in Kiel', title: '' });
  });

  it('are ranked by distance', () => {
    const at = (top: number, bottom: number) => ({
      image: { getBoundingClientRect: () => ({ top, bottom }) } as HTMLImageElement,
    });
    expect(nearest([at(-900, -700), at(500, 900), at(1500, 1700)], 800)).toBe(1);
    expect(nearest([at(-900, -700), at(-10, 200), at(250, 450), at(1500, 1700)], 800)).toBe(1);
    expect(nearest([at(-190, 10), at(150, 950)], 800)).toBe(1);
    expect(nearest([at(-900, -700), at(1000, 1700)], 800)).toBe(1);
    expect(nearest([], 800)).toBe(-1);
  });
});

describe('text direction', () => {
  it('follows the letters rather than the declared language', () => {
    expect(textDirection('قال الكاتب (HTML)')).toBe('rtl');
    expect(textDirection('The word كتاب means book')).toBe('ltr');
    expect(textDirection('Nothing of it')).toBeNull();
    expect(direction('en', 'قال الكاتب إن القراءة')).toBe('rtl');
    expect(direction('ar', 'An article in English, whatever its feed says of all of them.')).toBe('ltr');
    expect(direction('ar', '2026')).toBe('rtl');
    expect(direction(null, 'words')).toBe('auto');
  });

  it('of a title with letters of both directions is that of the text', () => {
    expect(titleDirection('GitHub Actions: دليل للمبتدئين', 'نص المقال هنا')).toBe('rtl');
    expect(titleDirection('كتاب means book', 'On the words for books.')).toBe('ltr');
    expect(titleDirection('GitHub Actions!', 'نص المقال هنا')).toBe('auto');
    expect(titleDirection('', '')).toBe('auto');
  });

  it('is set on blocks that differ from the page', () => {
    const root = body('<p>English</p><p>قال الكاتب</p><p dir="ltr">قال</p>');
    blockDirections(root, 'ltr');
    expect([...root.children].map((one) => one.getAttribute('dir'))).toEqual([null, 'rtl', 'ltr']);
  });
});

describe('wide content', () => {
  it('is put into one scroll box', () => {
    const root = body('<table><tbody><tr><td><table></table></td></tr></tbody></table><p><b>x</b></p>');
    scrollBoxes(root);
    expect(root.querySelectorAll('.gl-scroll')).toHaveLength(1);
    expect(root.firstElementChild?.className).toBe('gl-scroll');
  });
});

describe('reading aloud', () => {
  it('reads sentences without code and footnote references', () => {
    const text = readable('<p>One<sup><a href="#x">1</a></sup>. Two!</p><pre>code()</pre><p>Three</p>');
    expect(sentences(text, 'en')).toEqual(['One.', 'Two!', 'Three']);
    const long = sentences('word '.repeat(200), null);
    expect(long.length).toBeGreaterThan(2);
    expect(long.every((part) => part.length <= 300)).toBe(true);
    expect(long.join(' ').split(' ')).toHaveLength(200);
  });
});
