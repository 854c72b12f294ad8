/** Completion of tag names. */
import type { Tag } from './ipc';

export type Offer = { readonly key: string; readonly name: string; readonly items: number; readonly fresh: boolean };

/** Returns the normalised name: tags with equal keys are the same. */
export const keyOf = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

/** Returns the tags that contain the typed text, those starting with it first, then the text itself as a new tag. */
export function offered(typed: string, tags: readonly Tag[]): Offer[] {
  const key = keyOf(typed);
  const found = tags
    .map((tag) => ({ key: keyOf(tag.name), name: tag.name, items: tag.items, fresh: false }))
    .filter((offer) => offer.key.includes(key));
  const begins = (offer: Offer) => offer.key.startsWith(key);
  const offers: Offer[] = [...found.filter(begins), ...found.filter((offer) => !begins(offer))];
  if (key === '' || found.some((offer) => offer.key === key)) return offers;
  return [...offers, { key, name: typed.trim().replace(/\s+/g, ' '), items: 0, fresh: true }];
}

/** Latin, Arabic, Chinese and Japanese. */
const COMMA = /[,،，、]/;

const parts = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/** Returns the tags of a list with commas. `before`: the tags that the list was made of, whose names may contain commas, too. */
export function listedTags(list: string, before: readonly string[]): string[] {
  const left = parts(list);
  const longestFirst = before
    .filter((name) => parts(name).length > 0)
    .toSorted((a, b) => parts(b).length - parts(a).length);
  const names: string[] = [];
  while (left.length > 0) {
    const whole = longestFirst.find((name) => parts(name).every((part, at) => part === left[at]));
    names.push(whole ?? left[0]!);
    left.splice(0, whole === undefined ? 1 : parts(whole).length);
  }
  return names;
}

/**
 * Splits what is typed at its commas: the tags that a comma ended, and the text after the last one. A comma that is part of the
 * name of a tag ends none.
 */
export function endedTags(typed: string, tags: readonly Tag[]): { ended: string[]; rest: string } {
  const names = tags.map((tag) => tag.name).filter((name) => COMMA.test(name));
  const key = keyOf(typed);
  if (!COMMA.test(typed) || names.some((name) => keyOf(name).startsWith(key))) return { ended: [], rest: typed };
  const all = typed.split(COMMA);
  const rest = all.pop() ?? '';
  return { ended: listedTags(all.join(',').replace(/\s+/g, ' '), names), rest: rest.trimStart() };
}
