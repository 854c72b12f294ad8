// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { expectLinear } from '../testing/linear';
import { codeText, copyLinks } from './code-blocks';
import { colourCode, type Highlighter } from './code-colours';
import { codeTokens, type CodeTokens } from './code-tokens';
import type { CodeRequest } from './code-worker';
import { PageText } from './page-text';

const parts = (code: string, language: string | null) =>
  codeTokens(code, language).map(([from, until, kind]) => [code.slice(from, until), kind]);

const PROSE =
  'If you want to go for a walk and return while it is not dark, then do it with the dog (as in this class), or import a new one from here.';

describe('tokens', () => {
  it('follow the named language, by any of its names', () => {
    const code = 'fn main() {\n  // "a" <b> & \'c\'\n  let s = "<&>";\n}';
    const tokens = [
      ['fn', 'keyword'],
      ['main', 'name'],
      ['// "a" <b> & \'c\'', 'comment'],
      ['let', 'keyword'],
      ['s', 'attribute'],
      ['"<&>"', 'string'],
    ];
    expect(parts(code, 'rust')).toEqual(tokens);
    expect(parts(code, 'rs')).toEqual(tokens);
    expect(parts('- a\n+ b\n', 'diff')).toEqual([
      ['- a', 'deletion'],
      ['+ b', 'addition'],
    ]);
    expect(parts('`a ${b + 1} c`', 'js')).toEqual([
      ['`a ', 'string'],
      ['1', 'number'],
      [' c`', 'string'],
    ]);
  });

  it('do not exist for text and unknown languages', () => {
    for (const language of ['text', 'plaintext', 'none', 'brainfuck', '__proto__'])
      expect(codeTokens('let a = "b";', language)).toEqual([]);
  });

  it('follow a recognised language only if it is certain', () => {
    expect(
      parts('import os\n\ndef main(argv):\n    for a in argv:\n        print(os.path.join(a, "b"))\n', null),
    ).toContainEqual(['def', 'keyword']);
    for (const text of ['The boat is in the harbour.', 'README.md\nsrc/\n  main', '$ make\nDone.', '', PROSE])
      expect(codeTokens(text, null), text).toEqual([]);
    expect(codeTokens('def a(): return "b"\n'.repeat(1000), null)).toEqual([]);
  });

  it('are found in linear time', () => {
    expectLinear(
      40_000,
      (size) => 'if (a < "b") { c(1); } // &\n'.repeat(size / 28),
      (code) => codeTokens(code, 'javascript'),
    );
  });
});

describe('code blocks on the page', () => {
  const show = (html: string): HTMLElement => {
    document.body.innerHTML = `<main class="gl-body">${html}</main>`;
    const body = document.querySelector<HTMLElement>('.gl-body')!;
    copyLinks(body, 'abc', 'Copy');
    return body;
  };
  const requests: CodeRequest[] = [];
  const highlighter = (answer: (request: CodeRequest) => CodeTokens | null) => {
    requests.length = 0;
    const all = { ends: 0 };
    const start = (): Highlighter => ({
      tokens: (request) => {
        requests.push(request);
        return Promise.resolve(answer(request));
      },
      end: () => void all.ends++,
    });
    return { all, start };
  };
  const real = ({ text, language }: CodeRequest) => codeTokens(text, language);

  it('have a link without a text that copies them', () => {
    const body = show(
      '<pre><code>a &lt; b\n</code></pre><pre> </pre><pre class="language-math">x</pre><p><code>x</code></p><pre>1<br>2<div>3</div></pre>',
    );
    const links = [...body.querySelectorAll('a')];
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'gleaner-act://abc/copy/0',
      'gleaner-act://abc/copy/3',
    ]);
    expect(links.map((link) => [link.getAttribute('aria-label'), link.textContent])).toEqual([
      ['Copy', ''],
      ['Copy', ''],
    ]);
    expect(codeText(document, 0)).toBe('a < b\n');
    expect(codeText(document, 3)).toBe('1\n2\n3');
    expect(codeText(document, 1)).toBeNull();
  });

  it('are coloured without a change of their text, also across elements', async () => {
    const body = show(
      '<p>let</p><pre class="language-js"><code>let <b>a = "b</b>c"; // d<br>let</code></pre><pre>let</pre><pre><code>x</code></pre>',
    );
    const before = body.textContent;
    const text = (await PageText.read([body]))?.text;
    const { all, start } = highlighter(real);
    expect(await colourCode(document, () => true, start)).toBe(1);
    expect(body.querySelector('code')?.innerHTML).toBe(
      '<span class="gl-code-keyword">let</span> <b>a = <span class="gl-code-string">"b</span></b><span class="gl-code-string">c"</span>; <span class="gl-code-comment">// d</span><br><span class="gl-code-keyword">let</span>',
    );
    expect(body.textContent).toBe(before);
    expect((await PageText.read([body]))?.text).toBe(text);
    expect(codeText(document, 0)).toBe('let a = "bc"; // d\nlet');
    // A `pre` alone may be a poem.
    expect(requests.map(({ language }) => language)).toEqual(['js', null]);
    expect(all.ends).toBe(1);
  });

  it('stay plain if they are long, selected or gone, or the worker takes too long', async () => {
    const block = '<pre><code class="language-js">let</code></pre>';
    const colours = (): number => document.querySelectorAll('[class^="gl-code-"]').length;
    show(`<pre><code class="language-js">${'let '.repeat(20_000)}</code></pre>${block}`);
    await colourCode(document, () => true, highlighter(real).start);
    expect([requests.length, colours()]).toEqual([1, 1]);

    show(block + block);
    await colourCode(document, () => true, highlighter(() => null).start);
    expect([requests.length, colours()]).toEqual([1, 0]);

    show(block);
    await colourCode(document, () => false, highlighter(real).start);
    expect(colours()).toBe(0);

    const body = show(block + block);
    document.getSelection()?.selectAllChildren(body.querySelector('code')!);
    await colourCode(document, () => true, highlighter(real).start);
    expect(colours()).toBe(1);
    document.getSelection()?.removeAllRanges();

    show(`<pre><code class="language-js">${'a '.repeat(5000)}</code></pre>`.repeat(6));
    await colourCode(
      document,
      () => true,
      highlighter(({ text }) => Array.from({ length: text.length / 2 }, (_, at) => [at * 2, at * 2 + 1, 'name'])).start,
    );
    expect([requests.length, colours()]).toEqual([6, 20_000]);
  });

  it('need no worker if there are none', async () => {
    show('<p>a</p><pre>b</pre>');
    expect(
      await colourCode(
        document,
        () => true,
        () => expect.fail('started'),
      ),
    ).toBe(0);
  });
});
