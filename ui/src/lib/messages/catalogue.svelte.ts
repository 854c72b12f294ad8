/** The message catalogue in use, as reactive state: components that show a message update when the language changes. */
import type { Language as Choice } from '../ipc';
import english from './en.json';
import type { MessageParameters, PluralKey } from './keys.generated';
import {
  directionOf,
  knownLocale,
  languageFor,
  tagOf,
  withLatinDigits,
  type Language,
  type Translated,
} from './languages';

type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };
/** A text with `{names}` to fill in, or its plural forms, chosen by `count`. */
export type Message = string | Plural;
export type MessageKey = keyof MessageParameters;
export type Catalogue = Readonly<Record<MessageKey, Message>>;

/** Does not compile when keys.generated.ts is out of date. */
const en: { readonly [K in MessageKey]: K extends PluralKey ? Plural : string } = english;

type LanguageState = {
  readonly words: Catalogue;
  /** The language tag of the words. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  /** The locale of dates and numbers. It can differ from the language of the words. */
  readonly format: string;
  /** The locale of phrases made by the platform ("yesterday"), always in the language of the words. */
  readonly phrases: string;
  readonly plurals: Intl.PluralRules;
  readonly numbers: Intl.NumberFormat;
};

/** Each language is a chunk of its own, loaded when it is chosen. */
const TRANSLATIONS: Readonly<Record<Translated, () => Promise<{ default: Partial<Catalogue> }>>> = {
  de: () => import('./de.json'),
  fr: () => import('./fr.json'),
  es: () => import('./es.json'),
  zh: () => import('./zh.json'),
  ja: () => import('./ja.json'),
  ar: () => import('./ar.json'),
};

const system = (): string[] =>
  typeof navigator === 'undefined' ? [] : [...(navigator.languages ?? []), navigator.language];

function stateOf(words: Catalogue, tag: string, direction: LanguageState['direction'], locale: string): LanguageState {
  const format = withLatinDigits(locale);
  return {
    words,
    tag,
    direction,
    format,
    phrases: new Intl.Locale(format).language === new Intl.Locale(tag).language ? format : withLatinDigits(tag),
    plurals: new Intl.PluralRules(tag),
    numbers: new Intl.NumberFormat(format),
  };
}

let current = $state.raw(stateOf(en, 'en', 'ltr', knownLocale(system())));
let latest = 0;

export const currentLanguage = (): LanguageState => current;

/** Sets the words, their plural rules, and the locale of dates and numbers. */
export function setCatalogue(words: Catalogue, tag: string, format = tag): void {
  latest++;
  current = stateOf(words, tag, directionOf(tag as Language), format);
}

/** Loads and uses the chosen language. Messages missing from it are shown in English. */
export async function setLanguage(choice: Choice): Promise<void> {
  const { language, format } = languageFor(choice, system());
  const request = ++latest;
  let words: Catalogue = en;
  try {
    if (language !== 'en') words = { ...en, ...(await TRANSLATIONS[language]()).default };
  } catch (error) {
    // The window keeps its current language.
    console.warn(language, error);
    return;
  }
  // Only the latest choice takes effect.
  if (request === latest) current = stateOf(words, tagOf(language), directionOf(language), format);
}
