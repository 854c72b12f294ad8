// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { expectLinear } from '../testing/linear';
import { clean, showFormulas, texOfImage, texPieces } from './tex';
import { mayHaveTex } from './tex-hints';

const tex = (text: string) => texPieces(text).filter((piece) => typeof piece !== 'string');

describe('TeX in a text', () => {
  it('is found in its common forms', () => {
    expect(texPieces('Let \\(a^2\\) be $$b$$ or \\[c\\].')).toEqual([
      'Let ',
      { tex: 'a^2', display: false },
      ' be ',
      { tex: 'b', display: true },
      ' or ',
      { tex: 'c', display: true },
      '.',
    ]);
    expect(tex('$latex \\pi$ and $x_i$, $\\alpha$, $n$')).toHaveLength(4);
  });

  it('does not include money or shell variables', () => {
    for (const text of [
      'It costs $5 and $10.',
      'from $HOME to $PATH',
      '$ 5 ^ 2 $',
      'US$5_000 or US$6_000',
      'a\\$x^2\\$',
      '$$',
      'no',
    ])
      expect(tex(text), text).toEqual([]);
  });

  it('is searched only in articles that may contain it', () => {
    for (const html of ['\\(x\\)', '$$x$$', '<span class="tex">', '$x_i$', 'https://s0.wp.com/latex.php?latex=x'])
      expect(mayHaveTex(html), html).toBe(true);
    for (const html of ['<p>$5 or $6</p>', '<p>x</p>']) expect(mayHaveTex(html), html).toBe(false);
  });

  it.each(['\\[', '$', '$_', '$$', '\\(a', '$latex ', '$_a<'])(
    'is looked for in linear time in a repeated %s',
    (piece) => {
      expectLinear(
        200_000,
        (count) => piece.repeat(count),
        (text) => {
          texPieces(text);
          mayHaveTex(text);
        },
      );
    },
  );

  it('is read from the address of an image', () => {
    const image = document.createElement('img');
    image.setAttribute('data-gl-src', 'https://s0.wp.com/latex.php?latex=E%3Dmc%5E2&bg=ffffff');
    expect(texOfImage(image)).toBe('E=mc^2');
    image.setAttribute('data-gl-src', 'https://a.example/cat.png');
    image.alt = 'A cat';
    expect(texOfImage(image)).toBeNull();
  });
});

describe('formulas on the page', () => {
  it('are rendered, or left unchanged if they are invalid', async () => {
    document.body.innerHTML =
      '<main class="gl-body"><p>Let \\(a^2\\) be, and \\(\\nosuch{x}\\).</p><span class="tex">\\frac12</span><pre>\\(code\\)</pre></main>';
    expect(await showFormulas(document, () => true)).toBe(3);
    const maths = [...document.querySelectorAll('math')];
    expect(maths.map((math) => math.getAttribute('alttext'))).toEqual(['a^2', '\\frac12']);
    expect(document.querySelector('msup')?.textContent).toBe('a2');
    expect(document.querySelector('.gl-source')?.textContent).toBe('\\nosuch{x}');
    expect(document.querySelector('pre')?.textContent).toBe('\\(code\\)');
  });

  it('are in one line with the punctuation mark after them', async () => {
    document.body.innerHTML = '<main class="gl-body"><p>\\(a\\), \\(b\\) and \\(c\\).</p></main>';
    await showFormulas(document, () => true);
    expect([...document.querySelectorAll('.gl-line')].map(({ textContent }) => textContent)).toEqual(['a,', 'c.']);
    expect(document.body.textContent).toBe('a, b and c.');
  });

  it('contain only harmless elements', async () => {
    document.body.innerHTML =
      '<main class="gl-body"><p>\\(\\href{javascript:alert(1)}{x}\\) \\(\\includegraphics{https://evil.example/x}\\) \\(\\style{background:url(https://evil.example/)}{x}\\) \\(\\text{&lt;img src=x onerror=alert(1)&gt;}\\)</p></main>';
    await showFormulas(document, () => true);
    const shown = document.querySelector('.gl-body')!;
    expect(shown.querySelectorAll('a, img, [href], [style], [src], [class*="tml"]')).toHaveLength(0);
    const source = new DOMParser().parseFromString(
      '<math onclick="x" href="javascript:x"><mi class="a" mathvariant="bold" style="color:red">x</mi><semantics><annotation-xml encoding="text/html"><img src=x></annotation-xml></semantics><script>x</script><maction>y</maction></math>',
      'text/html',
    );
    const cleaned = clean(source.querySelector('math')!, document)!;
    expect(cleaned.outerHTML).toBe('<math><mi mathvariant="bold">x</mi><semantics></semantics></math>');
  });

  const show = async (...formulas: string[]): Promise<{ count: number; maths: number; sources: number }> => {
    document.body.innerHTML = '<main class="gl-body"></main>';
    const body = document.querySelector('.gl-body')!;
    for (const formula of formulas) body.append(Object.assign(document.createElement('p'), { textContent: formula }));
    const count = await showFormulas(document, () => true);
    const [maths, sources] = ['math', '.gl-source'].map((name) => body.querySelectorAll(name).length);
    return { count, maths: maths ?? 0, sources: sources ?? 0 };
  };

  it('cannot define macros', async () => {
    const long = `\\(\\def\\a{${'x'.repeat(3000)}}${'\\a'.repeat(290)}\\)`;
    const names =
      '\\def\\a{x} \\gdef\\a{x} \\edef\\a{x} \\xdef\\a{x} \\let\\a=x \\futurelet\\a\\b\\c \\newcommand{\\a}{x}';
    const others = '\\renewcommand{\\a}{x} \\providecommand{\\a}{x} \\let\\a=b \\definecolor{a}{rgb}{0,0,0}';
    const all = `${names} ${others}`.split(/ (?=\\)/).map((one) => `\\(${one}\\)`);
    const { maths, sources } = await show(...Array.from({ length: 50 }, () => long), ...all);
    expect([maths, sources]).toEqual([0, 50 + all.length]);
    // Longer names with the same beginning are other commands.
    expect(await show('\\(\\left(\\lets\\right)\\)', '\\(\\left(a\\leq b\\right)\\)')).toMatchObject({
      maths: 1,
      sources: 1,
    });
  });

  it('are limited in number and length', async () => {
    expect(await show('\\(\\implies\\)'.repeat(20), `\\(${'\\implies '.repeat(300)}\\)`)).toMatchObject({
      maths: 20,
      sources: 1,
    });
    // Formulas beyond the limit stay text.
    expect((await show('\\(a\\)'.repeat(2500))).count).toBe(2000);
    expect(document.querySelector('p')?.lastChild?.textContent).toBe('\\(a\\)'.repeat(500));
    // Their total length is limited, too.
    const { maths, sources } = await show(...Array.from({ length: 60 }, () => `\\(a${' '.repeat(3900)}b\\)`));
    expect([maths, sources]).toEqual([51, 9]);
  });

  it('are skipped if the page has been replaced', async () => {
    document.body.innerHTML = `<main class="gl-body"><p>${'\\(a^2\\)'.repeat(1900)}</p></main>`;
    let calls = 0;
    await showFormulas(document, () => calls++ === 0);
    expect(calls).toBe(2);
    expect(document.querySelectorAll('math')).toHaveLength(0);
  });
});
