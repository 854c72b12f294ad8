/** An article with everything that a page must set well. */
import { picture } from './words';

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

export const EVERYTHING = [
  '<p>Typography is what the reader does not notice: the <em>measure</em>, the leading, words<sup><a href="#fn:1" id="fnref:1">1</a></sup> divided where their language divides them, and H<sub>2</sub>O that does not push lines apart. A second note<sup id="r2"><a href="#fn:2">2</a></sup> is longer, and a third stands in brackets <a href="#note-3">[3]</a>.</p>',
  `<p>One very long word is ${LONG}, and one very long address is <a href="https://example.com/a/very/long/path/that/goes/on/and/on/without/any/place/to/break/it?with=a&query=string">https://example.com/a/very/long/path/that/goes/on/and/on/without/any/place/to/break/it?with=a&query=string</a>.</p>`,
  `<figure><img src="${picture(3)}" width="960" height="420" alt="Hills in bands of one colour"><figcaption>A figure with its caption, which says more than the picture does.</figcaption></figure>`,
  `<p><a href="https://example.com/full"><img src="${picture(7)}" width="480" height="240" alt="A picture in a link"></a></p>`,
  '<h2>A part</h2><h3>and the first of its parts</h3>',
  '<blockquote><p>A quotation of some length, so that it runs over more than a single line and shows how it is set apart from the text around it.</p><blockquote><p>And one inside of it.</p></blockquote><footer>— <cite>Somebody</cite></footer></blockquote>',
  '<ul><li>an item,</li><li>another,<ol><li>numbered inside,</li><li value="128">with a large number.</li></ol></li></ul>',
  '<dl><dt>Leading</dt><dd>The space between lines.</dd><dt>Measure</dt><dd>The length of a line, best between 45 and 75 characters, for which the eye still finds the next line.</dd></dl>',
  '<p>Sums of squares: \\(a^2 + b^2 = c^2\\), and standing alone:</p><p>$$\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2} \\qquad \\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}$$</p><p>It costs $5, or $10 for two. In MathML: <math><mfrac><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow><msqrt><mn>2</mn></msqrt></mfrac></math>. What is not understood: \\(\\notacommand{x}\\).</p>',
  `<table><caption>A wide table</caption><thead><tr>${Array.from({ length: 14 }, (_, i) => `<th>Column ${i}</th>`).join('')}</tr></thead><tbody>${Array.from({ length: 3 }, (_, r) => `<tr>${Array.from({ length: 14 }, (_, i) => `<td>${(r + 1) * (i + 7) * 1013}</td>`).join('')}</tr>`).join('')}</tbody></table>`,
  '<table><tr><th>Name</th><th>What it is</th></tr><tr><td>Gleaner</td><td>A reader of feeds, with a cell of text that is long enough to be set in more than one line of the table.</td></tr></table>',
  '<pre><code>let line = "a line of code that is a good deal longer than the page is wide, and so scrolls in a box of its own, as code should";</code></pre>',
  '<p>Press <kbd>Ctrl</kbd>+<kbd>F</kbd>, see <code>a_function_with_a_long_name()</code>, <abbr title="HyperText Markup Language">HTML</abbr>, <mark>marked</mark>, <del>gone</del>, <ins>new</ins>, <small>small</small>, <span style="font-variant:small-caps">Small Capitals</span>, <q>quoted</q>.</p>',
  '<p>قال الكاتب إن القراءة البطيئة ليست ترفاً، بل طريقة لسماع ما يقوله النص (HTML) حين لا يستعجله أحد.</p><p lang="ja">朝の光が机の上に落ちて、まだ読み終えていない本の頁を照らしている。急ぐ理由はどこにもない。<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>。</p>',
  '<details><summary>More, where it is wanted</summary><p>Here it is.</p></details><hr>',
  '<ol><li id="fn:1">A short note, with <em>emphasis</em>. <a href="#fnref:1">↩</a></li><li id="fn:2"><p>A longer note of two paragraphs.</p><p>This is its second, with <a href="https://example.com/">a link</a>. <a href="#r2">↩</a></p></li></ol><p id="note-3">[3] A note in a paragraph.</p>',
].join('\n');
