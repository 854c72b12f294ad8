// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { expectLinear } from '../testing/linear';
import { cleanBody } from './clean-body';
import { placeImage, placeSized } from './image-places';

const body = (html: string): HTMLElement => {
  const page = document.implementation.createHTMLDocument();
  page.body.innerHTML = html;
  return page.body;
};
const clean = (html: string, title = ''): string => {
  const root = body(html);
  cleanBody(root, title);
  return root.innerHTML;
};

describe('an article', () => {
  it('does not begin with its title again', () => {
    expect(clean('<div><h1>Ripe plums!</h1><p>Text</p></div>', 'Ripe plums')).toBe('<div><p>Text</p></div>');
    for (const kept of ['<h1>Ripe plums and pears</h1><p>Text</p>', '<p>Text</p><h2>Ripe plums</h2>'])
      expect(clean(kept, 'Ripe plums')).toBe(kept);
    expect(clean('<h1 id="u-a">Ripe plums <a href="#u-a">#</a></h1><p>Text</p>', 'Ripe plums')).toBe('<p>Text</p>');
    const linked = '<h2 id="u-top">Ripe plums</h2><p><a href="#u-top">Up</a></p>';
    expect(clean(linked, 'Ripe plums')).toBe(linked);
  });

  it('has no links of headings to themselves', () => {
    expect(clean('<h2>Soil <a href="https://a.example/#soil">¶</a></h2><h3><a href="#b">Peat #2</a></h3>')).toBe(
      '<h2>Soil </h2><h3><a href="#b">Peat #2</a></h3>',
    );
    const rest = 'Soil</h2><p><a href="#u-b">Soil</a></p>';
    expect(clean(`<h2><a id="u-b" href="#u-b">#</a>${rest}`)).toBe(`<h2><a id="u-b"></a>${rest}`);
  });

  it('has no blank lines beside blocks with a margin', () => {
    expect(clean('<p>One</p><br><p>&nbsp;</p><h2><br></h2><p>Two<br></p><br>')).toBe('<p>One</p><p>Two</p>');
    expect(clean('<ul><li>One<br></li></ul><p><br>Two</p>')).toBe('<ul><li>One</li></ul><p>Two</p>');
    for (const kept of [
      'One<br>Two<br><br>Three',
      '<ul><li>One<br><br><p>Two</p></li></ul>',
      '<p><span>One<br></span><span>Two</span></p>',
      '<div>One</div><br><div>Two</div>',
      '<div>One</div><div><br></div><div>Two</div>',
      '<pre><br>One<br><br><br>Two</pre>',
      '<p>One</p><p><img src="a.jpg"></p><p id="u-1"></p><p><a href="#u-1">1</a></p>',
    ])
      expect(clean(kept)).toBe(kept);
    expect(clean('One<br><br><br><br>Two')).toBe('One<br><br>Two');
    expect(clean('<div>One</div><br><br><div>Two</div>')).toBe('<div>One</div><br><div>Two</div>');
  });

  it('keeps a blank paragraph that separates scenes', () => {
    const text = '<p>Text</p>'.repeat(5);
    expect(clean(`${text}<p>&nbsp;</p><p>&nbsp;</p>${text}`)).toBe(`${text}<p>&nbsp;</p>${text}`);
    expect(clean('<p>One</p><p>&nbsp;</p><p>Two</p><p>&nbsp;</p><p>Three</p>')).toBe(
      '<p>One</p><p>Two</p><p>Three</p>',
    );
  });

  it('has paragraphs beside others', () => {
    expect(clean('One <b>two</b><br><br><p>Three</p><img src="a.jpg"><ul><li>Four</li></ul><div>Five</div>')).toBe(
      '<p>One <b>two</b></p><p>Three</p><img src="a.jpg"><ul><li>Four</li></ul><div>Five</div>',
    );
  });

  it('has code without line numbers', () => {
    expect(
      clean('<table><tbody><tr><td><pre>1\n2\n</pre></td><td><pre>let a;\nlet b;</pre></td></tr></tbody></table>'),
    ).toBe('<pre>let a;\nlet b;</pre>');
    const data = '<table><tbody><tr><td>3</td><td><pre>let a;</pre></td></tr></tbody></table>';
    expect(clean(data)).toBe(data);
  });

  it('has figures and text in place of tables that only place them', () => {
    const [image, words] = ['<a href="https://a.example/"><img src="a.jpg"></a>', 'Ripe <b>plums</b>'];
    const rows = (...cells: string[]) =>
      `<table><tbody>${cells.map((cell) => `<tr><td>${cell}</td></tr>`).join('')}</tbody></table>`;
    expect(clean(rows(image, words))).toBe(`<figure>${image}<figcaption>${words}</figcaption></figure>`);
    expect(clean(rows('<h2>News</h2>', rows('Text')))).toContain(
      '<table class="gl-layout" role="presentation"><tbody><tr><td><h2>',
    );
    const data = '<table><tbody><tr><td>Plums</td><td>3</td></tr></tbody></table>';
    expect(clean(data)).toBe(data);
    const headed = data.replace('<tr>', '<tr><td><h4>Fruit</h4></td><td><h4>Price</h4></td></tr><tr>');
    expect(clean(headed)).toBe(headed);
    expect(clean(rows('Plums', 'Pears'))).toBe(rows('Plums', 'Pears'));
    const list = '<table><tbody><tr><th>Fruit</th></tr><tr><td>Plums</td></tr></tbody></table>';
    expect(clean(list)).toBe(list);
  });
});

it('shows a link with the summary of a page as a card', () => {
  const image = '<figure><a href="https://a.example/"><div><img src="a.jpg"></div></a></figure>';
  expect(clean(image)).toBe(image);
  const captioned = image.replace('</div>', '</div><p>Plums</p>');
  expect(clean(captioned)).toBe(captioned);
  expect(clean('<figure><a href="https://a.example/"><div>Plums</div></a></figure>')).toContain('class="gl-card"');
});

describe('an image', () => {
  const placed = (html: string, width = 0, height = 0): string => {
    const root = body(html);
    if (height) for (const image of root.querySelectorAll('img')) placeImage(image, width, height);
    else placeSized(root);
    return root.innerHTML;
  };

  it('is a block beside text, without blank lines', () => {
    const image = (name = '') => `<img ${name ? `class="${name}" ` : ''}width="300" height="200">`;
    const block = '<img width="300" height="200" class="gl-block">';
    expect(placed(`<p>${image()}<br> <br>Text</p>`)).toBe(`<p>${block}Text</p>`);
    expect(placed(`<p>Text <a href="x">${image()}</a> text</p>`)).toBe(
      `<p>Text <a href="x" class="gl-block">${image()}</a> text</p>`,
    );
    expect(placed(`<p>${image()}</p><p>Text</p>`)).toBe(`<p>${block}</p><p>Text</p>`);
  });

  it('stays in its line as an icon, and in a row of images, a figure or a table', () => {
    for (const kept of [
      '<p>Text <img width="20" height="20"> text</p>',
      '<figure><img width="300" height="200"></figure>',
      '<table><tbody><tr><td><img width="300" height="200"></td></tr></tbody></table>',
    ])
      expect(placed(kept)).toBe(kept);
    expect(placed('<p><img width="300" height="200"> <img width="300" height="200"></p>')).not.toContain('gl-block');
  });

  it('is in the middle in a row of images without text', () => {
    const row = '<img width="300" height="200"> <a href="x"><img width="300" height="200"></a>';
    const tall = row.replaceAll('height="200"', 'height="200" class="gl-tall"');
    expect(placed(`<p>${row}</p>`)).toBe(`<p class="gl-row">${tall}</p>`);
    expect(placed(`<div>${row}<br>Text</div>`)).toBe(`<div>${tall}<br>Text</div>`);
  });

  it('without a size is placed when it is loaded', () => {
    expect(placed('<p>Text <img></p>', 600, 400)).toBe('<p>Text <img class="gl-block"></p>');
    expect(placed('<p>Text <img width="20"></p>', 600, 400)).toBe('<p>Text <img width="20"></p>');
    expect(placed('<p>Text <img></p>', 40, 40)).toBe('<p>Text <img></p>');
  });
});

it.each([
  '<div><p>Text</p><br>Text<p>&nbsp;</p><img width="300" height="200">Text</div>',
  '<img width="300" height="200">',
  '<br>',
])('is cleaned in linear time: %s', (part) => {
  expectLinear(
    800,
    (count) => '<div>'.repeat(50) + '<span>' + part.repeat(count),
    (html) => {
      const root = body(html);
      cleanBody(root, 'Text');
      placeSized(root);
    },
  );
});
