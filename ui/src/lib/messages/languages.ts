/** The languages of the window. Every catalogue has the keys of the English one. */
import type { Language as Choice } from '../ipc';

export type Language = Exclude<Choice, 'system'>;
export type Translated = Exclude<Language, 'en'>;

/** Each language's own name, so that users can find theirs whatever language the window is in. */
export const LANGUAGES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  zh: '简体中文',
  ja: '日本語',
  ar: 'العربية',
};

/** Returns the tag for `<html lang>`; browsers choose fonts by it. */
export const tagOf = (language: Language): string => (language === 'zh' ? 'zh-Hans' : language);

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** Returns the supported language of a tag, or null. Traditional Chinese is not supported by the simplified catalogue. */
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

/** Returns the first tag the platform supports, else "en". Systems without a locale report "C", which is not a tag. */
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
 * Returns the locale with the digits 0–9, which the messages, the syntax of searches, the tray and notifications have in every
 * language. Which digits a platform uses for Arabic depends on its version and the country.
 */
export function withLatinDigits(locale: string): string {
  const { numberingSystem } = new Intl.NumberFormat(locale).resolvedOptions();
  return numberingSystem === 'latn' ? locale : new Intl.Locale(locale, { numberingSystem: 'latn' }).toString();
}

/**
 * Returns the language of the window and the locale of its dates and numbers: the system's regional locale of that language, if there is
 * one. Without a supported language the words are English, with the system's dates.
 */
export function languageFor(choice: Choice, system: readonly string[]): { language: Language; format: string } {
  const chosen = choice === 'system' ? system.map(languageOf).find((language) => language !== null) : choice;
  if (!chosen) return { language: 'en', format: knownLocale(system) };
  const own = system.filter((tag) => languageOf(tag) === chosen);
  return { language: chosen, format: knownLocale([...own, tagOf(chosen)]) };
}
