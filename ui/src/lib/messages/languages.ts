/** The languages of the window, and what their catalogues have to give. English is the measure: `en`. */
import type { Language as Choice } from '../ipc';

export type Language = Exclude<Choice, 'system'>;
export type Translated = Exclude<Language, 'en'>;

/** Each in its own words, so that whoever landed in a foreign one finds the way back. */
export const LANGUAGES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  zh: '简体中文',
  ja: '日本語',
  ar: 'العربية',
};

/** A translation that says everything: a key that it lacks is a type error. The others are filled up with English. */
export const COMPLETE = {
  de: true,
  fr: true,
  es: true,
  zh: true,
  ja: true,
  ar: true,
} as const satisfies Record<Translated, boolean>;

/** The forms of a plural, as `Intl.PluralRules` tells them apart. */
export const PLURALS = {
  en: ['one', 'other'],
  de: ['one', 'other'],
  fr: ['one', 'many', 'other'],
  es: ['one', 'many', 'other'],
  zh: ['other'],
  ja: ['other'],
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
} as const satisfies Record<Language, readonly Intl.LDMLPluralRule[]>;

/** What `<html lang>` says: a browser chooses its letters by it. */
export const tagOf = (language: Language): string => (language === 'zh' ? 'zh-Hans' : language);

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

type Forms<L extends Language> = Readonly<Record<(typeof PLURALS)[L][number], string>>;
/** A message that English says in one way for every number may need several in another language. */
type Said<L extends Language, English> = English extends string
  ? English extends `${string}{count}${string}`
    ? string | Forms<L>
    : string
  : Forms<L>;
type Whole<L extends Language, English> = { readonly [K in keyof English]: Said<L, English[K]> };

/** One file of a translation: all that the English file of its name says. */
export type Part<L extends Translated, English> = (typeof COMPLETE)[L] extends true
  ? Whole<L, English>
  : Partial<Whole<L, English>>;

/** The language of a tag, where it is one of ours. Whoever reads traditional letters is not given simplified ones. */
function languageOf(tag: string): Language | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    if (language === 'zh' && script !== 'Hans') return null;
    return language in LANGUAGES ? (language as Language) : null;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

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

/**
 * The language to speak, and the locale of its dates and numbers: that of the reader's country where the system names one
 * in this language. A system without a language of ours has English words with its own dates.
 */
export function spokenBy(choice: Choice, system: readonly string[]): { language: Language; format: string } {
  const wished = choice === 'system' ? system.map(languageOf).find((language) => language !== null) : choice;
  if (!wished) return { language: 'en', format: knownLocale(system) };
  const own = system.filter((tag) => languageOf(tag) === wished);
  return { language: wished, format: knownLocale([...own, tagOf(wished)]) };
}
