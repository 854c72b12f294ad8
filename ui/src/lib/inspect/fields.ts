/** Fields of a feed report: their order, their source in each format, and filtering. */
import type { ReportField } from '../ipc';

/** Element or key that holds a field in RSS, Atom and JSON Feed; '' if there is none. Not translated. */
type FieldSource = readonly [rss: string, atom: string, json: string];

const FEED: Record<string, FieldSource> = {
  title: ['channel/title', 'feed/title', 'title'],
  description: ['channel/description', 'feed/subtitle, tagline', 'description'],
  home_url: ['channel/link', 'link rel=alternate', 'home_page_url'],
  feed_url: ['atom:link rel=self', 'link rel=self', 'feed_url'],
  id: ['rdf:about', 'feed/id', ''],
  language: ['language, dc:language', 'xml:lang', 'language'],
  published: ['pubDate, dc:date', 'published', ''],
  updated: ['lastBuildDate', 'updated, modified', ''],
  authors: ['itunes:author, dc:creator', 'author', 'authors, author'],
  contributors: ['dc:contributor, podcast:person', 'contributor', ''],
  categories: ['category, dc:subject, itunes:category', 'category', ''],
  generator: ['generator', 'generator', ''],
  rights: ['copyright, dc:rights', 'rights, copyright', ''],
  icon_url: ['', 'icon', 'favicon'],
  image: ['image, itunes:image', 'logo', 'icon'],
  managing_editor: ['managingEditor', '', ''],
  web_master: ['webMaster', '', ''],
  docs_url: ['docs', '', ''],
  rating: ['rating', '', ''],
  ttl_minutes: ['ttl', '', ''],
  skip_hours: ['skipHours', '', ''],
  skip_days: ['skipDays', '', ''],
  update_period_minutes: ['sy:updatePeriod, sy:updateFrequency', 'sy:updatePeriod, sy:updateFrequency', ''],
  cloud: ['cloud', '', ''],
  text_input: ['textInput', '', ''],
  hubs: ['atom:link rel=hub', 'link rel=hub', 'hubs'],
  next_url: ['atom:link rel=next, prev-archive', 'link rel=next, prev-archive', 'next_url'],
  license_url: ['creativeCommons:license, cc:license', 'link rel=license', ''],
  explicit: ['itunes:explicit', 'itunes:explicit', ''],
  funding: ['podcast:funding', 'podcast:funding', ''],
};

const ITEM: Record<string, FieldSource> = {
  title: ['item/title', 'entry/title', 'title'],
  id: ['guid, rdf:about', 'entry/id', 'id'],
  guid_is_permalink: ['guid isPermaLink', '', ''],
  url: ['link, guid', 'link rel=alternate', 'url'],
  canonical_url: ['', '', ''],
  external_url: ['atom:link rel=related', 'link rel=related, via', 'external_url'],
  title_from_content: ['', '', ''],
  authors: ['author, dc:creator, itunes:author', 'author', 'authors, author'],
  contributors: ['dc:contributor, podcast:person', 'contributor', ''],
  published: ['pubDate, dc:date', 'published, issued', 'date_published'],
  updated: ['dcterms:modified, atom:updated', 'updated, modified', 'date_modified'],
  date_uncertain: ['', '', ''],
  categories: ['category, dc:subject', 'category', 'tags'],
  summary_html: ['description', 'summary', 'summary'],
  content_kind: ['', '', ''],
  content_html: ['content:encoded, description', 'content', 'content_html, content_text'],
  content_text: ['', '', ''],
  content_src: ['', 'content src', ''],
  word_count: ['', '', ''],
  enclosures: ['enclosure', 'link rel=enclosure', 'attachments'],
  media: ['media:content', 'media:content', ''],
  thumbnail_url: ['media:thumbnail, itunes:image', 'media:thumbnail', 'image, banner_image'],
  comments_url: ['comments', 'link rel=replies', ''],
  comments_feed_url: ['wfw:commentRss', 'link rel=replies', ''],
  comments_count: ['slash:comments, thr:total', 'thr:total', ''],
  source: ['source', 'source', ''],
  language: ['dc:language, xml:lang', 'xml:lang', 'language'],
  rights: ['dc:rights', 'rights', ''],
  license_url: ['creativeCommons:license', 'link rel=license', ''],
  chapters: ['podcast:chapters, psc:chapters', 'psc:chapters', ''],
  transcripts: ['podcast:transcript', 'podcast:transcript', ''],
  season: ['itunes:season, podcast:season', '', ''],
  season_name: ['podcast:season', '', ''],
  episode: ['itunes:episode, podcast:episode', '', ''],
  episode_display: ['podcast:episode', '', ''],
  episode_type: ['itunes:episodeType', '', ''],
  explicit: ['itunes:explicit', 'itunes:explicit', ''],
};

export type Part = 'feed' | 'item';

const KNOWN: Record<Part, Record<string, FieldSource>> = { feed: FEED, item: ITEM };

/** Returns "categories" for "categories[0].term". */
const rootOf = (name: string): string => name.split(/[.[]/, 1)[0] ?? name;

/** Returns the source of a field in a format; '' if Gleaner derived the value. */
export function origin(part: Part, name: string, format: string): string {
  const source = KNOWN[part][rootOf(name)];
  if (!source) return '';
  if (format.startsWith('json')) return source[2];
  return format.startsWith('atom') ? source[1] : source[0];
}

/** Sorts fields by importance; unknown ones come last. */
export function inOrder(part: Part, fields: readonly ReportField[]): ReportField[] {
  const order = Object.keys(KNOWN[part]);
  const place = (name: string) => {
    const at = order.indexOf(rootOf(name));
    return at < 0 ? order.length : at;
  };
  return fields.toSorted((a, b) => place(a.name) - place(b.name));
}

export const hasValue = (field: ReportField): boolean => field.value !== null && field.value !== '';

/** Returns whether the name, value or source of a field matches a text. */
export function matchesField(part: Part, field: ReportField, format: string, folded: string): boolean {
  const text = `${field.name} ${field.value ?? ''} ${origin(part, field.name, format)}`;
  return text.toLocaleLowerCase().includes(folded);
}

const FORMATS: Record<string, string> = {
  rss: 'RSS',
  cdf: 'CDF',
};

/** Returns the display name of a format such as "rss-2.0". */
export function formatName(format: string): string {
  const version = format.match(/^(rss|atom|json-feed)-([\d.]+)$/);
  if (!version) return FORMATS[format] ?? format;
  const name = { rss: 'RSS', atom: 'Atom', 'json-feed': 'JSON Feed' }[version[1] as 'rss' | 'atom' | 'json-feed'];
  return `${name} ${version[2]}`;
}
