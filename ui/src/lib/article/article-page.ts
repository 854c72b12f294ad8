/**
 * Builds the page of the article frame. The core has sanitised the HTML; the frame has no scripts and a policy of its own. An empty
 * page stands in it, with policy and style sheet, and articles take each other's place there: a page loaded anew for each would cost
 * twice the time, and WebKit keeps a style sheet and its fonts for each. Here an article gets its head and foot, and pictures that wait
 * until they are near.
 */
import type { Article, Credit, Enclosure } from '../ipc';
import { scrollBoxes } from './boxes';
import { blockDirections, direction } from './directions';
import { popNotes, type NoteWords } from './footnotes';
import { breakLongWords } from './long-words';
import { styleText } from './look';
import { zoomLinks } from './zoom';

export type PageWords = {
  /** That of the words, whatever the article's is. */
  readonly direction: 'ltr' | 'rtl';
  readonly byline: string;
  readonly empty: string;
  readonly comments: string;
  readonly elsewhere: string;
  readonly attachments: string;
  readonly source: string;
  readonly via: string;
  readonly untitled: string;
  readonly openSite: string;
  readonly enclosure: (enclosure: Enclosure) => string;
  /** The link around a picture, by what the picture shows. */
  readonly zoom: (alt: string) => string;
} & NoteWords;

/** What no article changes. */
export type EmptyPageOptions = {
  readonly policy: string;
  /** Absolute. */
  readonly stylesheet: string;
  readonly theme: string;
  /** As `lookStyle` gives it. */
  readonly style: Record<string, string>;
};

export type PageOptions = {
  /** Pictures are asked for over the network. */
  readonly pictures: boolean;
  /** Of the page's own links for the window; see `acts.ts`. */
  readonly token: string;
  readonly words: PageWords;
  /** The title as HTML of the core's, where it is not the article's own. */
  readonly titleHtml?: string | undefined;
};

/** An article on its way into the frame. */
export type ArticlePage = {
  readonly language: string | null;
  readonly direction: 'ltr' | 'rtl' | 'auto';
  readonly title: string;
  /** In a document that does nothing. */
  readonly body: HTMLElement;
};

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => ESCAPES[c] ?? c);

const WEB = /^https?:\/\//i;

const link = (url: string, text: string): string =>
  `<a href="${escapeHtml(url)}" rel="noreferrer noopener">${escapeHtml(text)}</a>`;

/** `origin` is the window's own, the only one that styles and fonts come from; `kept` is the place of kept pictures. */
export function policy(origin: string, pictures: boolean, kept: string | null = null): string {
  return [
    "default-src 'none'",
    `img-src ${[pictures ? 'http: https: data:' : 'data:', kept].filter(Boolean).join(' ')}`,
    `media-src ${pictures ? 'http: https:' : "'none'"}`,
    `style-src ${origin}`,
    "style-src-attr 'unsafe-inline'",
    `font-src ${origin}`,
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** Pictures that need no network: their own addresses, and where the window has them from. */
const keptPictures = (article: Article): Map<string, string> =>
  new Map(article.kept_pictures.map(({ url, here }) => [url, here]));

/** What a policy calls the place of an article's kept pictures. Windows knows no protocols but http. */
export function placeOfKept(article: Article): string | null {
  const first = article.kept_pictures[0]?.here;
  if (first === undefined) return null;
  return first.startsWith('http:') ? new URL(first).origin : first.slice(0, first.indexOf(':') + 1);
}

/** Whether the article has a picture that is not kept. */
export function hasRemotePictures(article: Article, parser: DOMParser = new DOMParser()): boolean {
  if (!/<(img|picture)\b/i.test(article.html)) return false;
  const kept = keptPictures(article);
  const body = parser.parseFromString(`<!doctype html><body>${article.html}`, 'text/html').body;
  return [...body.querySelectorAll('img')].some((image) => {
    const src = image.getAttribute('src') ?? '';
    return !src.startsWith('data:') && !kept.has(src);
  });
}

/** A transparent picture of the same shape, so that the page does not jump when the real one comes. */
export function placeholder(width: number, height: number): string {
  return `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}'/%3E`;
}

const number = (value: string | null): number => {
  const parsed = Number.parseFloat(value ?? '');
  return Number.isFinite(parsed) && parsed > 0 && parsed < 20_000 ? parsed : 0;
};

/** Moves the addresses of pictures out of the browser's sight; `pictures.ts` puts them back when they come near. */
export function holdPictures(
  root: ParentNode,
  pictures: boolean,
  kept: ReadonlyMap<string, string> = new Map<string, string>(),
): void {
  for (const source of root.querySelectorAll('picture > source')) source.remove();
  for (const image of root.querySelectorAll('img')) {
    const named = image.getAttribute('src');
    const here = kept.get(named ?? '');
    const src = here ?? named;
    const srcset = here ? null : image.getAttribute('srcset');
    image.removeAttribute('srcset');
    image.removeAttribute('sizes');
    image.setAttribute('decoding', 'async');
    image.setAttribute('referrerpolicy', 'no-referrer');
    image.removeAttribute('loading');
    const own = src?.startsWith('data:') ?? false;
    if (own && !srcset) continue;
    if (!pictures && !here) {
      image.removeAttribute('src');
      if (image.getAttribute('alt')) image.classList.add('gl-off');
      image.removeAttribute('width');
      image.removeAttribute('height');
      continue;
    }
    if (src) image.setAttribute('data-gl-src', src);
    if (srcset) image.setAttribute('data-gl-srcset', srcset);
    const width = number(image.getAttribute('width'));
    const height = number(image.getAttribute('height'));
    image.setAttribute('src', placeholder(width || 1, height || 1));
    if (width && height) image.style.aspectRatio = `auto ${width} / ${height}`;
  }
  for (const media of root.querySelectorAll('video, audio')) {
    media.setAttribute('preload', 'none');
    media.setAttribute('controls', '');
    media.removeAttribute('autoplay');
    // A poster waits as pictures do; one that does not come would keep a page of comments from ever being loaded.
    const poster = media.getAttribute('poster');
    if (!poster || poster.startsWith('data:')) continue;
    media.removeAttribute('poster');
    const shown = kept.get(poster) ?? (pictures ? poster : null);
    if (shown) media.setAttribute('data-gl-poster', shown);
  }
}

/** A footnote stays within its page: a link to a part of the article must not open the browser. */
function keepFragments(root: ParentNode, address: string | null): void {
  const own = address?.split('#')[0] ?? null;
  const parts = new Set(
    [...root.querySelectorAll('[id], a[name]')].flatMap((part) => [part.id, part.getAttribute('name')]),
  );
  for (const anchor of root.querySelectorAll('a[href*="#"]')) {
    const [before = '', fragment = ''] = (anchor.getAttribute('href') ?? '').split('#');
    if (!fragment || (before !== '' && before !== own)) continue;
    let id = fragment;
    try {
      id = decodeURIComponent(fragment);
    } catch {
      // Not encoded, then: taken as it stands.
    }
    if (!parts.has(id)) continue;
    anchor.setAttribute('href', `#${fragment}`);
    anchor.setAttribute('target', '_self');
  }
}

const credit = ({ title, url }: Credit): string => (url && WEB.test(url) ? link(url, title) : escapeHtml(title));

function foot(article: Article, words: PageWords): string {
  const parts: string[] = [];
  if (article.source) parts.push(`<p>${escapeHtml(words.source)}: ${credit(article.source)}</p>`);
  if (article.via.length > 0) parts.push(`<p>${escapeHtml(words.via)}: ${article.via.map(credit).join(', ')}</p>`);
  const files = article.enclosures.filter((enclosure) => !isPlayable(enclosure) && WEB.test(enclosure.url));
  if (files.length > 0) {
    const items = files.map((file) => `<li>${link(file.url, words.enclosure(file))}</li>`).join('');
    parts.push(`<p>${escapeHtml(words.attachments)}</p><ul>${items}</ul>`);
  }
  if (article.elsewhere.length > 0) {
    const feeds = article.elsewhere.map((twin) => twin.feed_title).join(', ');
    parts.push(`<p>${escapeHtml(words.elsewhere)}: ${escapeHtml(feeds)}</p>`);
  }
  if (article.comments_url && WEB.test(article.comments_url))
    parts.push(`<p>${link(article.comments_url, words.comments)}</p>`);
  return parts.length > 0 ? `<footer class="gl-foot" dir="${words.direction}">${parts.join('')}</footer>` : '';
}

export function isPlayable(enclosure: Enclosure): boolean {
  return /^(audio|video)\//i.test(enclosure.mime_type ?? '') && WEB.test(enclosure.url);
}

/** The document that stands in a frame, as source: an empty one, which articles are put into, or one with all that it will ever show. */
export function pageSource(
  { policy, stylesheet, theme, style }: EmptyPageOptions,
  { title = '', body = '<body></body>' } = {},
): string {
  return [
    `<!doctype html><html data-theme="${theme}" style="${escapeHtml(styleText(style))}">`,
    `<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`,
    '<meta name="referrer" content="no-referrer"><base target="_blank">',
    `<link rel="stylesheet" href="${escapeHtml(stylesheet)}"><title>${escapeHtml(title)}</title></head>${body}</html>`,
  ].join('');
}

/** The policy that a frame's document stands under. */
export const policyOf = (doc: Document): string | null =>
  doc.head?.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content') ?? null;

/** Puts an article in the place of the one that was there before; nothing of that one stays. */
export function fill(doc: Document, { language, direction, title, body }: ArticlePage): void {
  const root = doc.documentElement;
  if (language) root.lang = language;
  else root.removeAttribute('lang');
  root.dir = direction;
  doc.title = title;
  // A copy: what was moved would still be of the window's own world, and no `Element` to whoever looks at it from the frame's.
  doc.body.replaceWith(doc.importNode(body, true));
}

export function articlePage(article: Article, options: PageOptions, parser: DOMParser = new DOMParser()): ArticlePage {
  const { words } = options;
  const { body } = parser.parseFromString(`<!doctype html><body>${article.html}`, 'text/html');
  holdPictures(body, options.pictures, keptPictures(article));
  keepFragments(body, article.url);
  const way = direction(article.language, body.textContent ?? '');
  blockDirections(body, way);
  scrollBoxes(body);
  breakLongWords(body);
  zoomLinks(body, options.token, words.zoom);
  const notes = popNotes(body, options.token, words);
  // WebKit takes a bare fragment for one of the window's own page, and leaves the article for it.
  for (const anchor of body.querySelectorAll('a[href^="#"]'))
    anchor.setAttribute('href', `about:srcdoc${anchor.getAttribute('href')}`);
  const title = article.title || words.untitled;
  const home = article.feed_home_url && WEB.test(article.feed_home_url) ? article.feed_home_url : null;
  const address = article.url && WEB.test(article.url) ? article.url : null;
  const text = body.ownerDocument.createElement('main');
  text.className = 'gl-body';
  if (body.childElementCount === 0 && body.textContent?.trim() === '')
    text.innerHTML = `<p class="gl-empty">${escapeHtml(words.empty)}</p>${address ? `<p>${link(address, words.openSite)}</p>` : ''}`;
  else while (body.firstChild) text.append(body.firstChild);
  body.innerHTML = [
    '<header class="gl-head">',
    `<p class="gl-kicker" dir="auto">${home ? link(home, article.feed_title) : escapeHtml(article.feed_title)}</p>`,
    `<h1 class="gl-title" dir="auto">${options.titleHtml || (address ? link(address, title) : escapeHtml(title))}</h1>`,
    words.byline ? `<p class="gl-byline" dir="${words.direction}">${escapeHtml(words.byline)}</p>` : '',
    '</header>',
    foot(article, words),
    notes,
  ].join('');
  body.firstElementChild?.after(text);
  return { language: article.language, direction: way, title, body };
}
