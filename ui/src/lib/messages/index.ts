/** Words for the window. All that a user reads comes through `t`. */
import { en } from './en';

type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };
export type Message = string | Plural;
export type MessageKey = keyof typeof en;
/** What a translation has to give; English is the measure. */
export type Catalogue = Record<MessageKey, Message>;

type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Text<K extends MessageKey> = (typeof en)[K] extends string
  ? (typeof en)[K]
  : (typeof en)[K] extends { readonly other: infer O extends string }
    ? O
    : never;
type Counted<K extends MessageKey> = (typeof en)[K] extends string ? never : 'count';
export type Params<K extends MessageKey> = {
  [N in Names<Text<K>> | Counted<K>]: N extends 'count' ? number : string | number;
};

/** The messages that need nothing filled in. */
export type PlainKey = { [K in MessageKey]: [keyof Params<K>] extends [never] ? K : never }[MessageKey];

/** The first of these tags that the platform knows: a system without a locale calls its language "C", which is none. */
export function knownLocale(tags: readonly string[]): string {
  for (const tag of tags) {
    try {
      const known = Intl.DateTimeFormat.supportedLocalesOf(tag)[0];
      if (known) return known;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return 'en';
}

let locale = knownLocale(typeof navigator === 'undefined' ? [] : [...navigator.languages, navigator.language]);
let catalogue: Catalogue = en;
let plurals = new Intl.PluralRules('en');
let numbers = new Intl.NumberFormat(locale);

/** The language of dates and numbers (the user's), which may differ from the catalogue's. */
export const formatLocale = (): string => locale;

/** Sets the words, their plural rules, and the locale of dates and numbers. */
export function setCatalogue(words: Catalogue, language: string, format = language): void {
  catalogue = words;
  locale = format;
  plurals = new Intl.PluralRules(language);
  numbers = new Intl.NumberFormat(format);
}

export const number = (value: number): string => numbers.format(value);

/** The message in the user's language, its `{names}` filled in and its plural chosen by `count`. */
export function t<K extends MessageKey>(key: K, ...rest: [keyof Params<K>] extends [never] ? [] : [Params<K>]): string {
  const params = (rest[0] ?? {}) as Record<string, string | number>;
  const message: Message = catalogue[key];
  let text: string;
  if (typeof message === 'string') text = message;
  else text = message[plurals.select(Number(params['count']))] ?? message.other;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? number(value) : value;
  });
}
