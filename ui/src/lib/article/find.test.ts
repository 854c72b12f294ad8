// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { PageFind } from './find';
import { foundWords, plainWords } from '../list/matched-words';
import { titledLink } from '../state/copy';
import { foldText, PageText } from './page-text';

const read = async (html: string) => {
  const root = document.createElement('main');
  root.innerHTML = html;
  return (await PageText.read([root]))!;
};
const cut = (text: PageText, { from, until }: { from: number; until: number }) => {
  const [start, end] = [text.place(from)!, text.place(until, true)!];
  if (start.node === end.node) return start.node.data.slice(start.offset, end.offset);
  return `${start.node.data.slice(start.offset)}…${end.node.data.slice(0, end.offset)}`;
};
const found = async (html: string, wanted: string) => {
  const text = await read(html);
  return text.find(wanted, 100).map((span) => cut(text, span));
};

describe('find in page', () => {
  it('ignores case, accents and line breaks', async () => {
    expect(await found('<p>Ein Käse, ein KÄSE, ein kase.</p>', 'käse')).toEqual(['Käse', 'KÄSE', 'kase']);
    expect(await found('<p>rope \n\t and  hemp</p>', 'rope and hemp')).toEqual(['rope \n\t and  hemp']);
    expect(await found('<p>Straße und Οδός</p>', 'strasse')).toEqual(['Straße']);
    expect(await found('<p>Straße und Οδός</p>', 'ΟΔΟΣ')).toEqual(['Οδός']);
    expect(await found('<p>a\u0301bc\u00adde x</p>', 'abcde')).toEqual(['a\u0301bc\u00adde']);
    expect(await found('<p>朝の光が机の上に</p>', '机の')).toEqual(['机の']);
    expect(await found('<p>ab 😀 cd</p>', 'cd')).toEqual(['cd']);
  });

  it('matches across inline elements but not across blocks', async () => {
    expect(await found('<p>hem<b>p ro</b>pe</p>', 'hemp rope')).toEqual(['hem…pe']);
    expect(await found('<p>hemp</p><p>rope</p>', 'hemp rope')).toEqual([]);
    expect(await found('<p>hemp<br>rope</p>', 'hemp rope')).toEqual(['hemp…rope']);
    expect(await found('<p>hemp </p><p> rope</p>', 'rope')).toEqual(['rope']);
    expect(await found('<p><b>hemp</b> <i>rope</i></p>', 'hemp rope')).toEqual(['hemp…rope']);
    expect(await found('<p>x</p>', '  ')).toEqual([]);
  });

  it('finds whole words or word beginnings', async () => {
    const text = await read('<p>art, party, Art; article</p>');
    expect(text.words('art', false, 9).map((span) => cut(text, span))).toEqual(['art', 'Art']);
    expect(text.words('art', true, 9)).toHaveLength(3);
  });

  it('handles long pages in slices', async () => {
    const text = await read(`<p>${'needle in much hay '.repeat(50_000)}</p>`);
    expect(text.find('needle', 5000)).toHaveLength(5000);
    expect(foldText('plain')).toBe('plain');
    const one = await read(`<p>${'Käse  und 朝 '.repeat(20_000)}ein Ende</p>`);
    expect(one.find('käse und', 5000).every((span) => cut(one, span) === 'Käse  und')).toBe(true);
    expect(one.find('ende', 9).map((span) => cut(one, span))).toEqual(['Ende']);
  });
});

describe('search highlights', () => {
  it('disappear with their text', async () => {
    document.body.innerHTML = '<h1 class="gl-title">Rope</h1><main class="gl-body"><p>hemp, rope</p></main>';
    const highlights = new Map<string, Set<Range>>();
    // happy-dom has no highlight registry.
    Object.assign(window, { CSS: { highlights }, Highlight: class extends Set<Range> {} });
    const marked = () => [...highlights].map(([name, ranges]) => [name, [...ranges].map(String)]);
    const page = new PageFind(document);
    expect(await page.find('rope')).toBe(2);
    await page.show(1);
    expect(marked()).toEqual([
      ['gl-found', ['Rope', 'rope']],
      ['gl-found-here', ['rope']],
    ]);
    expect(await page.find('ropes')).toBe(0);
    expect(marked()).toEqual([['gl-found', []]]);
  });
});

describe('matched words', () => {
  it('are those of the result and the plain words of the query', () => {
    expect(plainWords('bread -rye title:salt "sour dough" ferment* OR (yeast)')).toEqual([
      { text: 'bread', begins: false },
      { text: 'sour dough', begins: false },
      { text: 'ferment', begins: true },
      { text: 'yeast', begins: false },
    ]);
    expect(plainWords('« oat cake » NOT oil „bread roll“ NOT "rye malt" 「麦 粉」')).toEqual(
      ['oat cake', 'bread roll', '麦 粉'].map((text) => ({ text, begins: false })),
    );
    const hit = {
      row: { title: 'Breads' },
      title_marks: [{ from: 0, until: 5 }],
      snippet: 'of salt',
      snippet_marks: [{ from: 3, until: 7 }],
    };
    expect(foundWords('feed:x', hit as never)).toEqual([
      { text: 'Bread', begins: true },
      { text: 'salt', begins: false },
    ]);
  });
});

describe('titled link', () => {
  it('is valid Markdown for any title and address', () => {
    expect(titledLink('Boats  [and] *nets*', 'https://a.example/x_(y) z')).toBe(
      '[Boats \\[and\\] \\*nets\\*](https://a.example/x_%28y%29%20z)',
    );
    expect(titledLink('', 'https://a.example/')).toBe('[https://a.example/](https://a.example/)');
  });
});
