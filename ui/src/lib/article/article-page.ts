/**
 * Builds the page of the article frame. The core has sanitised the HTML; the frame has no scripts and its own policy.
 * The frame holds one page with policy and style sheet, and articles replace each other in it: loading a page for
 * each would take twice as long, and WebKit would keep a style sheet and its fonts for each. This module adds head
 * and foot of the article and defers its images.
 */
import type { Article, Credit, Enclosure, Participant } from '../ipc';
import { repeatsFirstLine } from '../repeated-title';
import { cleanBody } from './clean-body';
import { copyLinks } from './code-blocks';
import { placeSized } from './image-places';
import { markMissing } from './lazy-images';
import { scrollBoxes } from './scroll-boxes';
import { blockDirections, direction, titleDirection } from './text-direction';
import { popNotes, type NoteWords } from './footnotes';
import { linkMedia } from './inline-media';
import { breakLongWords } from './long-words';
import { styleText } from './typography';
import { pageActionLink } from './page-actions';
import { videoAt, videoCards } from './videos';
import { linkTimes } from './timestamps';
import { linkAddresses } from './web-addresses';
import { zoomLinks } from './zoom';

/** A part of a list: its text, by which the language chooses the words between the parts, and its HTML. */
type ListPart = { readonly text: string; readonly html: string };
/** Returns the HTML of a line with a list. */
export type ListLine = (parts: readonly ListPart[]) => string;

export type PageWords = {
  /** Direction of the interface texts, whatever the article's direction. */
  readonly direction: 'ltr' | 'rtl';
  readonly byline: string;
  readonly empty: string;
  readonly comments: string;
  readonly alsoIn: ListLine;
  readonly attachments: string;
  readonly source: ListLine;
  /** The people who take part in a recording. */
  readonly participants: ListLine;
  readonly participant: (participant: Participant) => string;
  readonly via: ListLine;
  readonly untitled: string;
  readonly openSite: string;
  readonly enclosure: (enclosure: Enclosure) => string;
  /** The categories of the feed. */
  readonly categories: ListLine;
  /** The choices at the end of an excerpt: load the full text once, always or never for the feed. */
  readonly fullText: readonly [once: string, always: string, never: string];
  /** Returns the label of the link around an image. */
  readonly zoom: (alt: string) => string;
  /** Label of the link at a code block. */
  readonly copyCode: string;
  /** Returns the text of the link that plays audio or video of the text. */
  readonly play: (file: string) => string;
  /** Returns the text of the link to a video. */
  readonly watch: (service: string) => string;
} & NoteWords;

/** Options that do not depend on the article. */
export type EmptyPageOptions = {
  readonly policy: string;
  /** Absolute URL. */
  readonly stylesheet: string;
  readonly theme: string;
  /** As returned by `typographyStyle`. */
  readonly style: Record<string, string>;
};

export type PageOptions = {
  /** Load remote images. */
  readonly images: boolean;
  /** Token of the page's own links; see `page-actions.ts`. */
  readonly token: string;
  readonly words: PageWords;
  /** Whether the window's player plays audio and video of the text. */
  readonly player: boolean;
  /** Title as HTML from the core, if not the article's own. */
  readonly titleHtml?: string | undefined;
};

/** An article ready to be put into the frame. */
export type ArticlePage = {
  readonly language: string | null;
  readonly direction: 'ltr' | 'rtl' | 'auto';
  readonly title: string;
  /** Belongs to an inert document. */
  readonly body: HTMLElement;
};

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => ESCAPES[c] ?? c);

const WEB = /^https?:\/\//i;

/** Characters of HTML from which on lines are broken without looking for the best places, which takes three times as long. */
const LONG = 250_000;

const link = (url: string, text: string): string =>
  `<a href="${escapeHtml(url)}" rel="noreferrer noopener">${escapeHtml(text)}</a>`;

/**
 * Returns the content security policy. `origin` is the window's own and the only source of styles and fonts; `kept`
 * is the source of downloaded images.
 */
export function policy(origin: string, images: boolean, offline: string | null = null): string {
  return [
    "default-src 'none'",
    `img-src ${[images ? 'http: https: data:' : 'data:', offline].filter(Boolean).join(' ')}`,
    `media-src ${images ? 'http: https:' : "'none'"}`,
    `style-src ${origin}`,
    "style-src-attr 'unsafe-inline'",
    `font-src ${origin}`,
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** Downloaded images: their original addresses and their local ones. */
const offlineImages = (article: Article): Map<string, string> =>
  new Map(article.offline_images.map(({ url, local_url }) => [url, local_url]));

/**
 * Returns what the page of an article depends on. A refresh may change the text of the open article. Its marks are not
 * part of the page; the interface language is.
 */
export function pageKey(article: Article, images: boolean, language: string): string {
  const { id, title, author, html, shows_full_text, offer_full_text, full_text_error, offline_images } = article;
  const offered = offer_full_text && !full_text_error;
  return [id, images, language, shows_full_text, offered, offline_images.length, title, author, html].join('\n');
}

/**
 * Returns the source of an article's downloaded images for the policy. On Windows custom protocols are served over
 * http.
 */
export function offlineImageSource(article: Article): string | null {
  const first = article.offline_images[0]?.local_url;
  if (first === undefined) return null;
  return first.startsWith('http:') ? new URL(first).origin : first.slice(0, first.indexOf(':') + 1);
}

/** Returns whether the article has an image that is not downloaded. */
export function hasRemoteImages(article: Article, parser: DOMParser = new DOMParser()): boolean {
  if (!/<(img|picture)\b/i.test(article.html)) return false;
  const offline = offlineImages(article);
  const body = parser.parseFromString(`<!doctype html><body>${article.html}`, 'text/html').body;
  return [...body.querySelectorAll('img')].some((image) => {
    const src = image.getAttribute('src') ?? '';
    return !src.startsWith('data:') && !offline.has(src);
  });
}

/** Returns a transparent image of the given size, so that the page does not jump when the real one loads. */
export function placeholder(width: number, height: number): string {
  return `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}'/%3E`;
}

const number = (value: string | null): number => {
  const parsed = Number.parseFloat(value ?? '');
  return Number.isFinite(parsed) && parsed > 0 && parsed < 20_000 ? parsed : 0;
};

/** Moves image addresses to data attributes; `lazy-images.ts` restores them when the images come near. */
export function deferImages(
  root: ParentNode,
  images: boolean,
  offline: ReadonlyMap<string, string> = new Map<string, string>(),
): void {
  for (const source of root.querySelectorAll('picture > source')) source.remove();
  for (const image of root.querySelectorAll('img')) {
    const named = image.getAttribute('src');
    const here = offline.get(named ?? '');
    const src = here ?? named;
    const srcset = here ? null : image.getAttribute('srcset');
    image.removeAttribute('srcset');
    image.removeAttribute('sizes');
    image.setAttribute('decoding', 'async');
    image.setAttribute('referrerpolicy', 'no-referrer');
    image.removeAttribute('loading');
    const own = src?.startsWith('data:') ?? false;
    if (own && !srcset) continue;
    if (!images && !here) {
      image.removeAttribute('src');
      markMissing(image, src ?? '');
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
    // Posters are deferred, too: one that never loads would keep a comments page from finishing.
    const poster = media.getAttribute('poster');
    if (!poster || poster.startsWith('data:')) continue;
    media.removeAttribute('poster');
    const shown = offline.get(poster) ?? (images ? poster : null);
    if (shown) media.setAttribute('data-gl-poster', shown);
  }
}

/** Keeps links to parts of the article within the page; they must not open the browser. */
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
      // Not percent-encoded: used as it is.
    }
    if (!parts.has(id)) continue;
    anchor.setAttribute('href', `#${fragment}`);
    anchor.setAttribute('target', '_self');
  }
}

const credit = ({ title, url }: Credit): ListPart => ({
  text: title,
  html: `<bdi>${url && WEB.test(url) ? link(url, title) : escapeHtml(title)}</bdi>`,
});

/** Lines break before the separators of `inLine` only, unless a fact is longer than a line. */
const facts = (text: string): string =>
  text
    .split(/ (?=[·|] )/)
    .map((fact) => `<span>${escapeHtml(fact).replace(/^[·|]/, '<i>$&</i>')}</span>`)
    .join(' ');

/** The offer to load the full text, where the text of an excerpt stops. */
function fullTextOffer(article: Article, { words, token }: PageOptions): string {
  if (!article.offer_full_text || article.shows_full_text || article.full_text_error) return '';
  const choices = words.fullText.map(
    (label, at) =>
      `<a href="${pageActionLink(token, 'full_text', at)}" dir="${words.direction}">${escapeHtml(label)}</a>`,
  );
  return `<p class="gl-more">${choices.join(' ')}</p>`;
}

/** `shown` are the addresses of the article's images. */
function foot(article: Article, { words, token }: PageOptions, shown: ReadonlySet<string>): string {
  const parts: string[] = [];
  if (article.categories.length > 0) {
    const links = article.categories.map((category, at) => ({
      text: category,
      html: `<a href="${pageActionLink(token, 'category', at)}"><bdi>${escapeHtml(category)}</bdi></a>`,
    }));
    parts.push(`<p class="gl-categories">${words.categories(links)}</p>`);
  }
  if (article.participants.length > 0) {
    const people = article.participants.map((one) => credit({ title: words.participant(one), url: one.url }));
    parts.push(`<p>${words.participants(people)}</p>`);
  }
  if (article.source) parts.push(`<p>${words.source([credit(article.source)])}</p>`);
  if (article.via.length > 0) parts.push(`<p>${words.via(article.via.map(credit))}</p>`);
  const hasVideo = videoAt(article.url) !== null;
  const files = article.enclosures.filter(
    (file) =>
      !isPlayable(file) &&
      WEB.test(file.url) &&
      !(hasVideo && isTorrent(file)) &&
      !shown.has(file.url) &&
      !isPreview(file),
  );
  if (files.length > 0) {
    const items = files.map((file) => `<li>${link(file.url, words.enclosure(file))}</li>`).join('');
    parts.push(`<p>${escapeHtml(words.attachments)}</p><ul>${items}</ul>`);
  }
  // A feed may contain an article several times, including the open one.
  const others = new Map(article.duplicates.map(({ feed_id, feed_title }) => [feed_id, feed_title]));
  others.delete(article.feed_id);
  if (others.size > 0) {
    const feeds = [...others.values()].map((title) => credit({ title, url: null }));
    parts.push(`<p>${words.alsoIn(feeds)}</p>`);
  }
  if (article.comments_url && WEB.test(article.comments_url))
    parts.push(`<p>${link(article.comments_url, words.comments)}</p>`);
  return parts.length > 0 ? `<footer class="gl-foot" dir="${words.direction}">${parts.join('')}</footer>` : '';
}

export function isPlayable(enclosure: Enclosure): boolean {
  const type = enclosure.mime_type ?? '';
  return (/^(audio|video)\//i.test(type) || isStream(enclosure)) && WEB.test(enclosure.url);
}

/** The file by which PeerTube offers a video that the page shows. */
const isTorrent = ({ mime_type }: Enclosure): boolean => /^application\/x-bittorrent/i.test(mime_type ?? '');

/** An image of Media RSS, which has no length. The core puts it into articles that have no image. */
const isPreview = ({ mime_type, length }: Enclosure): boolean => /^image\//i.test(mime_type ?? '') && length === null;

/** Returns whether it is a playlist of HTTP Live Streaming, which is played but not downloaded. */
export const isStream = ({ mime_type }: Enclosure): boolean => /mpegurl/i.test(mime_type ?? '');

/** Returns the source of a frame's document: an empty one for articles, or a complete one. */
export function pageSource(
  { policy, stylesheet, theme, style }: EmptyPageOptions,
  { title = '', body = '<body></body>' } = {},
): string {
  const platform = navigator.userAgent.includes('Linux') ? ' data-platform="linux"' : '';
  return [
    `<!doctype html><html data-theme="${theme}"${platform} style="${escapeHtml(styleText(style))}">`,
    `<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`,
    '<meta name="referrer" content="no-referrer"><base target="_blank">',
    `<link rel="stylesheet" href="${escapeHtml(stylesheet)}"><title>${escapeHtml(title)}</title></head>${body}</html>`,
  ].join('');
}

/** Returns the policy of a frame's document. */
export const policyOf = (doc: Document): string | null =>
  doc.head?.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content') ?? null;

/** Replaces the article on the page. */
export function fill(doc: Document, { language, direction, title, body }: ArticlePage): void {
  const root = doc.documentElement;
  if (language) root.lang = language;
  else root.removeAttribute('lang');
  root.dir = direction;
  doc.title = title;
  // Import a copy: a moved node would keep the window's realm and would not be an `Element` in the frame's. The body itself stays:
  // without it, WebKit draws no scrollbar any more.
  doc.body.replaceChildren(...doc.importNode(body, true).childNodes);
}

export function articlePage(article: Article, options: PageOptions, parser: DOMParser = new DOMParser()): ArticlePage {
  const { words } = options;
  const { body } = parser.parseFromString(`<!doctype html><body>${article.html}`, 'text/html');
  const shown = new Set([...body.querySelectorAll('img')].map((image) => image.getAttribute('src') ?? ''));
  // A title that was made from the text is displayed as text only.
  const titled = Boolean(options.titleHtml) || !repeatsFirstLine(article.title, body);
  deferImages(body, options.images, offlineImages(article));
  keepFragments(body, article.url);
  cleanBody(body, titled ? article.title : '');
  const way = direction(article.language, body.textContent ?? '');
  blockDirections(body, way);
  scrollBoxes(body);
  linkAddresses(body);
  const episode = article.enclosures.find(isPlayable);
  if (episode) linkTimes(body, options.token, episode.duration);
  breakLongWords(body);
  copyLinks(body, options.token, words.copyCode);
  zoomLinks(body, options.token, words.zoom);
  placeSized(body);
  const thumbnail = article.thumbnail && (offlineImages(article).get(article.thumbnail) ?? article.thumbnail);
  if (options.player) linkMedia(body, options.token, words.play);
  videoCards(body, { address: article.url, thumbnail }, options.images, words.watch);
  const notes = popNotes(body, options.token, words);
  // WebKit resolves a bare fragment against the window's page and would leave the article.
  for (const anchor of body.querySelectorAll('a[href^="#"]'))
    anchor.setAttribute('href', `about:srcdoc${anchor.getAttribute('href')}`);
  const title = article.title || words.untitled;
  const home = article.feed_home_url && WEB.test(article.feed_home_url) ? article.feed_home_url : null;
  const address = article.url && WEB.test(article.url) ? article.url : null;
  const text = body.ownerDocument.createElement('main');
  text.className = article.html.length > LONG ? 'gl-body gl-long' : 'gl-body';
  if (body.childElementCount === 0 && body.textContent?.trim() === '')
    text.innerHTML = `<p class="gl-empty">${escapeHtml(words.empty)}</p>${address ? `<p>${link(address, words.openSite)}</p>` : ''}`;
  else while (body.firstChild) text.append(body.firstChild);
  body.innerHTML = [
    '<header class="gl-head">',
    `<p class="gl-kicker" dir="auto">${home ? link(home, article.feed_title) : escapeHtml(article.feed_title)}</p>`,
    titled
      ? `<h1 class="gl-title" dir="${titleDirection(title, text.textContent ?? '')}">${options.titleHtml || (address ? link(address, title) : escapeHtml(title))}</h1>`
      : '',
    words.byline ? `<p class="gl-byline" dir="${words.direction}">${facts(words.byline)}</p>` : '',
    '</header>',
    fullTextOffer(article, options),
    foot(article, options, shown),
    notes,
  ].join('');
  body.firstElementChild?.after(text);
  return { language: article.language, direction: way, title, body };
}
