/** The words of the window: everything a user reads comes from `t`. */
import { currentLanguage, type Message, type MessageKey } from './catalogue.svelte';
import type { MessageParameters } from './keys.generated';

export { setCatalogue, setLanguage, currentLanguage } from './catalogue.svelte';
export type { Catalogue, Message, MessageKey } from './catalogue.svelte';

type Params<K extends MessageKey> = {
  [N in MessageParameters[K]]: N extends 'count' ? number : string | number;
};

/** The messages without parameters. */
export type PlainKey = { [K in MessageKey]: [MessageParameters[K]] extends [never] ? K : never }[MessageKey];

/** The locale of dates and numbers. It can differ from the language of the catalogue. */
export const formatLocale = (): string => currentLanguage().format;

/** The locale of phrases made by the platform ("yesterday"), in the language of the catalogue. */
export const phraseLocale = (): string => currentLanguage().phrases;

export const number = (value: number): string => currentLanguage().numbers.format(value);

/**
 * Returns a text that cannot reorder the text around it: without embeddings and overrides of direction, and with all isolates closed. Most
 * texts are returned as they are.
 */
export function contained(text: string): string {
  if (!/[\u202a-\u202e\u2066-\u2069]/u.test(text)) return text;
  let depth = 0;
  const kept = text.replace(/[\u202a-\u202e\u2066-\u2069]/gu, (control) => {
    if (control < '\u2066') return '';
    if (control !== '\u2069') depth += 1;
    else if (depth === 0) return '';
    else depth -= 1;
    return control;
  });
  return kept + '\u2069'.repeat(depth);
}

/**
 * Wraps a text in directional isolates, so that it does not reorder the text around it. Only right-to-left windows do so. A text that
 * consists of isolated texts has no direction of its own and would run from left to right, so it is marked as right to left.
 */
export const isolated = (text: string): string =>
  text === '' ? '' : `${/^[\u2067\u2068]/.test(text) ? '\u2067' : '\u2068'}${contained(text)}\u2069`;

/** Joins independent facts in one line. In right-to-left text a dot could be read as an Arabic zero, so a bar is used. */
export function inLine(facts: readonly string[]): string {
  const shown = facts.filter(Boolean).map(contained);
  return currentLanguage().direction === 'rtl' ? shown.map(isolated).join(' | ') : shown.join(' · ');
}

/** Joins sentences into a text. After a full-width stop there is no space. */
export const sentences = (parts: readonly string[]): string =>
  parts
    .filter(Boolean)
    .join(' ')
    .replace(/(?<=[。！？]) /gu, '');

/** Removes directional isolates from a text that is stored or passed to another program. */
export const withoutIsolates = (text: string): string => text.replace(/[\u2066-\u2069]/gu, '');

/** Parameters whose values are dates: "2026年5月3日", or words ("明天"). */
const DATES = /^(at|date|day|from|time|until|when)$/;
/** Han, Hiragana and Katakana. */
const IDEOGRAM = '[\u3040-\u30ff\u3400-\u9fff]';

/** Removes the spaces that Chinese and Japanese messages have around a date: they belong between ideograms and numbers only. */
function withDates(text: string, params: Readonly<Record<string, string | number>>): string {
  return text.replace(/( ?)\{(\w+)\}( ?)/g, (whole, before: string, name: string, after: string) => {
    const value = params[name];
    if (typeof value !== 'string' || !DATES.test(name)) return whole;
    const meets = (side: string) => new RegExp(side).test(value);
    return `${meets(`^${IDEOGRAM}`) ? '' : before}{${name}}${meets(`${IDEOGRAM}$`) ? '' : after}`;
  });
}

/** Parameters whose values are titles and names, which have no maximum length. Not paths of files: they end with the name. */
const NAMES = /^(title|name|into)$/;
/** Maximum length of a title or name in a message, in characters. */
const MAX_NAME = 100;

/** Returns a title or name that leaves the rest of its message in view. */
function shortened(value: string): string {
  if (value.length <= MAX_NAME) return value;
  const characters = [...value];
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME).join('').trimEnd()}…` : value;
}

/** Returns the message in the user's language with its `{names}` filled in and its plural form chosen by `count`. */
export function t<K extends MessageKey>(
  key: K,
  ...rest: [MessageParameters[K]] extends [never] ? [] : [Params<K>]
): string {
  const params = (rest[0] ?? {}) as Record<string, string | number>;
  const { words, tag, plurals, direction } = currentLanguage();
  const message: Message = words[key];
  let text: string;
  if (typeof message === 'string') text = message;
  else text = message[plurals.select(Number(params['count']))] ?? message.other;
  if (/^(ja|zh)/.test(tag)) text = withDates(text, params);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    if (typeof value === 'number') return number(value);
    const shown = NAMES.test(name) ? shortened(value) : value;
    return direction === 'rtl' ? isolated(shown) : contained(shown);
  });
}
