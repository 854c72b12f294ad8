/** Words for the window. All that a user reads comes through `t`. */
import { spoken } from './catalogue.svelte';
import type { en, Message, MessageKey } from './en';

export { setCatalogue, speak, spoken } from './catalogue.svelte';
export type { Catalogue, Message, MessageKey } from './en';

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

/** The language of dates and numbers (the user's), which may differ from the catalogue's. */
export const formatLocale = (): string => spoken().format;

/** The locale of what the platform says within sentences: it speaks the catalogue's language. */
export const phraseLocale = (): string => spoken().phrases;

export const number = (value: number): string => spoken().numbers.format(value);

/** A text whose own direction stirs nothing around it. */
export const isolated = (text: string): string => (text === '' ? '' : `\u2068${text}\u2069`);

/** Facts in one line, each for itself. Where text runs from the right a dot between them would be read as one of its noughts. */
export function inLine(facts: readonly string[]): string {
  const said = facts.filter(Boolean);
  return spoken().direction === 'rtl' ? said.map(isolated).join(' | ') : said.join(' · ');
}

/** As it is kept or goes to another program: what only guides the eye is left out. */
export const unmarked = (text: string): string => text.replace(/[\u2068\u2069]/gu, '');

/** The message in the user's language, its `{names}` filled in and its plural chosen by `count`. */
export function t<K extends MessageKey>(key: K, ...rest: [keyof Params<K>] extends [never] ? [] : [Params<K>]): string {
  const params = (rest[0] ?? {}) as Record<string, string | number>;
  const { words, plurals, direction } = spoken();
  const message: Message = words[key];
  let text: string;
  if (typeof message === 'string') text = message;
  else text = message[plurals.select(Number(params['count']))] ?? message.other;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    if (typeof value === 'number') return number(value);
    return direction === 'rtl' ? isolated(value) : value;
  });
}
