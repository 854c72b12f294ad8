/** Completions of the search field: fields and their values. */
import type { QueryField, QueryMedia, QueryState } from '../ipc';
import { formatLocale, number, phraseLocale, t, type PlainKey } from '../messages';
import { fold } from '../fold';
import { ranked } from '../rank';

/** A completion. */
export type Offer = {
  readonly key: string;
  /** As written into the query. */
  readonly text: string;
  /** Short description. */
  readonly hint: string;
};

/** The part of the text that a completion replaces, and the completions. */
export type Completion = { readonly from: number; readonly until: number; readonly offers: readonly Offer[] };

/** Names from the library that can be completed. */
export type Names = {
  readonly feeds: readonly { readonly title: string; readonly where: string }[];
  readonly folders: readonly { readonly name: string; readonly path: string }[];
  readonly tags: readonly { readonly name: string; readonly articles: number }[];
  readonly categories: readonly { readonly name: string; readonly articles: number }[];
};

/** Maximum number of completions. */
const MAX_OFFERS = 30;

const FIELDS: Readonly<Record<QueryField, PlainKey>> = {
  title: 'complete.field.title',
  author: 'complete.field.author',
  text: 'complete.field.text',
  tag: 'complete.field.tag',
  note: 'complete.field.note',
  url: 'complete.field.url',
  feed: 'complete.field.feed',
  folder: 'complete.field.folder',
  category: 'complete.field.category',
  lang: 'complete.field.lang',
  is: 'complete.field.is',
  has: 'complete.field.has',
  after: 'complete.field.after',
  before: 'complete.field.before',
  during: 'complete.field.during',
  words: 'complete.field.words',
};

const STATES: Readonly<Record<QueryState, PlainKey>> = {
  unread: 'complete.is.unread',
  read: 'complete.is.read',
  starred: 'complete.is.starred',
  updated: 'complete.is.updated',
  hidden: 'complete.is.hidden',
  kept: 'complete.is.kept',
  tagged: 'complete.is.tagged',
  highlighted: 'complete.is.highlighted',
  noted: 'complete.is.noted',
};

const MEDIA: Readonly<Record<QueryMedia, PlainKey>> = {
  audio: 'complete.has.audio',
  video: 'complete.has.video',
  image: 'complete.has.image',
  enclosure: 'complete.has.enclosure',
};

/** Common languages; the library's own come first. */
const LANGUAGES = 'en de fr es it pt nl sv da nb fi pl cs uk ru tr el he ar fa hi id vi th zh ja ko'.split(' ');

/** Quotes a value of more than one word. */
export const quoted = (value: string): string =>
  /^[\p{L}\p{N}]+$/u.test(value) ? value : `"${value.replace(/[\\"]/g, '\\$&')}"`;

const plain = (words: Readonly<Record<string, PlainKey>>): Offer[] =>
  Object.entries(words).map(([text, hint]) => ({ key: text, text, hint: t(hint) }));

function dates(): Offer[] {
  const offer = (text: string, hint: string): Offer => ({ key: text, text, hint });
  return [
    offer('today', t('complete.date.today')),
    offer('yesterday', t('complete.date.yesterday')),
    offer('7d', t('complete.date.days', { count: 7 })),
    offer('30d', t('complete.date.days', { count: 30 })),
    offer('"last week"', t('complete.date.last_week')),
    offer('"last month"', t('complete.date.last_month')),
    offer('"this year"', t('complete.date.this_year')),
  ];
}

function lengths(): Offer[] {
  const [few, many] = [number(500), number(1500)];
  return [
    { key: 'more', text: '>1500', hint: t('complete.words.more', { number: many }) },
    { key: 'less', text: '<500', hint: t('complete.words.less', { number: few }) },
    { key: 'between', text: '500..1500', hint: t('complete.words.between', { from: few, to: many }) },
  ];
}

function languages(): Offer[] {
  const names = new Intl.DisplayNames(phraseLocale(), { type: 'language' });
  const own = new Intl.Locale(formatLocale()).language;
  return [...new Set([own, ...LANGUAGES])].map((tag) => ({ key: tag, text: tag, hint: names.of(tag) ?? tag }));
}

function values(field: QueryField, names: Names): Offer[] {
  switch (field) {
    case 'is':
      return plain(STATES);
    case 'has':
      return plain(MEDIA);
    case 'after':
    case 'before':
    case 'during':
      return dates();
    case 'words':
      return lengths();
    case 'lang':
      return languages();
    case 'feed':
      return names.feeds.map(({ title, where }, i) => ({ key: `${i}`, text: quoted(title), hint: where }));
    case 'folder':
      return names.folders.map(({ name, path }, i) => ({ key: `${i}`, text: quoted(name), hint: path }));
    case 'tag':
    case 'category': {
      const all = field === 'tag' ? names.tags : names.categories;
      return all.map(({ name, articles }) => ({
        key: name,
        text: quoted(name),
        hint: t('complete.articles', { count: articles }),
      }));
    }
    // Free text: nothing to complete.
    case 'title':
    case 'author':
    case 'text':
    case 'note':
    case 'url':
      return [];
  }
}

/** Fields, and the values of `is:` and `has:`, which can be completed from a word. */
const words = (): Offer[] => [
  ...Object.entries(FIELDS).map(([name, hint]) => ({ key: name, text: `${name}:`, hint: t(hint) })),
  ...plain(STATES).map((offer) => ({ ...offer, key: `is-${offer.key}`, text: `is:${offer.text}` })),
  ...plain(MEDIA).map((offer) => ({ ...offer, key: `has-${offer.key}`, text: `has:${offer.text}` })),
];

const QUOTES = /["“”„‟]/u;

/** Returns the start and end of the word at the caret; quoted spaces belong to it. */
function wordAt(text: string, caret: number): { from: number; until: number } {
  let from = 0;
  let within = false;
  let at = 0;
  const between = () => !within && /[\s()]/u.test(text.charAt(at));
  for (; at < caret; at++) {
    if (QUOTES.test(text.charAt(at)) && text.charAt(at - 1) !== '\\') within = !within;
    else if (between()) from = at + 1;
  }
  while (text.charAt(from) === '-' && from < caret) from++;
  while (at < text.length && !between()) {
    if (QUOTES.test(text.charAt(at))) within = !within;
    at++;
  }
  // An unclosed quotation mark does not extend past the caret.
  return { from, until: within ? caret : at };
}

/** Returns the field whose value is being typed. */
export function fieldAt(text: string, caret: number): QueryField | null {
  const { from } = wordAt(text, caret);
  const name = /^([a-z]+):/i.exec(text.slice(from, caret))?.[1]?.toLowerCase();
  return name !== undefined && name in FIELDS ? (name as QueryField) : null;
}

/**
 * Returns completions at the caret. `all` offers every field if nothing was typed; otherwise two letters are needed,
 * and a word that matches no field gets none.
 */
export function complete(text: string, caret: number, names: Names, all = false): Completion {
  const { from, until } = wordAt(text, caret);
  const field = fieldAt(text, caret);
  if (field) {
    const start = from + field.length + 1;
    const typed = text.slice(start, caret).replace(QUOTES, '');
    const known = values(field, names).map((offer) => ({
      ...offer,
      label: offer.text,
      folded: fold(`${offer.text.replaceAll('"', '')} ${offer.hint}`),
    }));
    // Letters in order are not enough here: a value that nothing starts with is an error to be shown.
    const words = fold(typed).split(/\s+/u);
    const offers = ranked(
      known.filter(({ folded }) => words.every((word) => folded.includes(word))),
      typed,
      MAX_OFFERS,
    );
    // Offer nothing that is already typed.
    const done = offers.length === 1 && offers[0]?.text === text.slice(start, until);
    return { from: start, until, offers: done ? [] : offers };
  }
  const typed = fold(text.slice(from, caret));
  if (typed === '' ? !all : typed.length < 2 || !/^\p{L}+$/u.test(typed)) return { from, until, offers: [] };
  const begins = (name: string) =>
    fold(name)
      .split(/[\s:,]+/u)
      .some((word) => word.startsWith(typed));
  // "ungelesen" completes to `is:unread`; fields match by name only.
  const means = ({ text: name, hint }: Offer) => !name.endsWith(':') && fold(hint).startsWith(typed);
  const offers = words().filter((offer) => begins(offer.text) || means(offer));
  return { from, until, offers: typed === '' ? words().slice(0, Object.keys(FIELDS).length) : offers };
}

/** Returns the text with a completion inserted, and the new caret position. */
export function taken(text: string, { from, until }: Completion, offer: Offer): { text: string; caret: number } {
  const rest = text.slice(until);
  // A field is followed by its value, a complete term by a space.
  const gap = offer.text.endsWith(':') || rest.startsWith(' ') ? '' : ' ';
  const before = text.slice(0, from) + offer.text + gap;
  return { text: before + rest, caret: before.length + (gap === '' && rest.startsWith(' ') ? 1 : 0) };
}
