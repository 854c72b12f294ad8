/** The catalogue that the window speaks from. Whoever shows a word hears when another one takes its place. */
import { en, type Catalogue } from './en';
import { directionOf, knownLocale, spokenBy, tagOf, type Language, type Translated } from './languages';
import type { Language as Choice } from '../ipc';

type Spoken = {
  readonly words: Catalogue;
  /** The tag of the words. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  /** The locale of dates and numbers, which may differ from the words'. */
  readonly format: string;
  /** The locale of phrases that the platform makes ("yesterday"): always in the language of the words. */
  readonly phrases: string;
  readonly plurals: Intl.PluralRules;
  readonly numbers: Intl.NumberFormat;
};

/** Each comes as a file of its own, when it is wished. */
const OTHERS: Readonly<Record<Translated, () => Promise<{ words: Partial<Catalogue> }>>> = {
  de: () => import('./de'),
  fr: () => import('./fr'),
  es: () => import('./es'),
  zh: () => import('./zh'),
  ja: () => import('./ja'),
  ar: () => import('./ar'),
};

const system = (): string[] =>
  typeof navigator === 'undefined' ? [] : [...(navigator.languages ?? []), navigator.language];

function speaking(words: Catalogue, tag: string, direction: Spoken['direction'], format: string): Spoken {
  return {
    words,
    tag,
    direction,
    format,
    phrases: new Intl.Locale(format).language === new Intl.Locale(tag).language ? format : tag,
    plurals: new Intl.PluralRules(tag),
    numbers: new Intl.NumberFormat(format),
  };
}

let current = $state.raw(speaking(en, 'en', 'ltr', knownLocale(system())));
let asked = 0;

export const spoken = (): Spoken => current;

/** Sets the words, their plural rules, and the locale of dates and numbers. */
export function setCatalogue(words: Catalogue, tag: string, format = tag): void {
  asked++;
  current = speaking(words, tag, directionOf(tag as Language), format);
}

/** Speaks this language from now on. What it lacks is said in English. */
export async function speak(choice: Choice): Promise<void> {
  const { language, format } = spokenBy(choice, system());
  const turn = ++asked;
  let words: Catalogue = en;
  try {
    if (language !== 'en') words = { ...en, ...(await OTHERS[language]()).words };
  } catch (error) {
    // The window goes on in the language that it speaks.
    console.warn(language, error);
    return;
  }
  // The one wished last wins.
  if (turn === asked) current = speaking(words, tagOf(language), directionOf(language), format);
}
