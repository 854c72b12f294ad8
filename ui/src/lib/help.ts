/** The user guide: the pages of docs/guide and the changelog, which are loaded with this module. */
import { Marked } from 'marked';
import changelog from '../../../CHANGELOG.md?raw';

/** A page with its sections. The first section has the page's title. */
export type GuidePage = { readonly name: string; readonly title: string; readonly sections: readonly GuideSection[] };
type GuideSection = { readonly title: string; readonly html: string; readonly words: string };

/** A section that contains the words of a search. */
export type GuideMatch = { readonly page: GuidePage; readonly section: number };

/** Order of the pages. */
const ORDER = [
  'first-steps',
  'reading',
  'organising',
  'searching',
  'accounts',
  'offline',
  'background',
  'backups',
  'command-line',
] as const;

const SOURCES = import.meta.glob<string>('../../../docs/guide/*.md', { query: '?raw', import: 'default', eager: true });

/** The screenshots of the guide, in both themes; their files are loaded when they are shown. */
const SCREENSHOTS = import.meta.glob<string>(
  '../../../docs/screenshots/{window,magazine,rules,search,settings-accounts,settings-backups,settings-background,settings-offline}-{light,dark}.webp',
  { query: '?url', import: 'default', eager: true },
);

const marked = new Marked({
  renderer: {
    image: ({ href, text }) => screenshot(href, text),
    // Below the title of the section, which is `h4`.
    heading({ tokens, depth }) {
      return `<h${String(depth + 2)}>${this.parser.parseInline(tokens)}</h${String(depth + 2)}>`;
    },
  },
});

/** Returns a screenshot in the window's theme; one of the dark theme as it is. */
function screenshot(href: string, text: string): string {
  const name = href.replace(/^.*\/|-(light|dark)\.webp$/g, '');
  const image = (theme: string, shown: string) => {
    const url = SCREENSHOTS[`../../../docs/screenshots/${name}-${theme}.webp`];
    if (url === undefined) throw new Error(`docs/guide shows ${href}, which SCREENSHOTS does not have in both themes`);
    return `<img class="${shown}" src="${url}" alt="${text}" loading="lazy">`;
  };
  const images = href.endsWith('-dark.webp')
    ? image('dark', 'always')
    : image('light', 'light') + image('dark', 'dark');
  return `<span class="screenshot">${images}</span>`;
}

export const GUIDE: readonly GuidePage[] = [
  ...ORDER.map((name) => {
    const source = SOURCES[`../../../docs/guide/${name}.md`];
    if (source === undefined) throw new Error(`docs/guide/${name}.md is missing`);
    return parsePage(name, source);
  }),
  // A section for each version, newest first.
  parsePage('news', changelog.replace(/^# [^]*?(?=^## )/m, "# What's new\n\n").replace(/^## \[(.*?)\]/gm, '## $1')),
];

/** Returns the sections that contain all words, titles first. */
export function searchGuide(query: string): GuideMatch[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const matches = GUIDE.flatMap((page) =>
    page.sections.flatMap((section, at) =>
      words.every((word) => section.words.includes(word)) ? [{ page, section: at }] : [],
    ),
  );
  const inTitle = ({ page, section }: GuideMatch) =>
    words.every((word) => page.sections[section]?.title.toLowerCase().includes(word));
  return [...matches.filter(inTitle), ...matches.filter((match) => !inTitle(match))];
}

function parsePage(name: string, source: string): GuidePage {
  const sections = source.split(/^##? /m).slice(1).map(parseSection);
  return { name, title: sections[0]?.title ?? name, sections };
}

function parseSection(source: string): GuideSection {
  const end = source.indexOf('\n');
  const [title, text] = [source.slice(0, end), source.slice(end + 1)];
  const html = marked.parse(text, { async: false });
  return { title, html, words: `${title} ${html.replace(/<[^>]*>/g, ' ')}`.toLowerCase() };
}
