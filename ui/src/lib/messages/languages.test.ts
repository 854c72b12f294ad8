import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import en from './en.json';
import { setCatalogue, setLanguage, currentLanguage, t, type Message } from './index';
import { LANGUAGES, directionOf, languageFor, tagOf, type Language, type Translated } from './languages';

afterEach(() => setCatalogue(en, 'en'));

const TRANSLATED = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== 'en') as Translated[];
const ENGLISH: Readonly<Record<string, Message>> = en;

const catalogueOf = (language: Language): Readonly<Record<string, Message>> =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${language}.json`), 'utf8'));

const names = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

/** Returns the parameters of a message; of a plural, those of its general form. */
const parametersOf = (message: Message): string[] => names(typeof message === 'string' ? message : message.other);

/** Whether a plural form covers a single number, such as "one" in German: it may leave the number out. */
function coversOneNumber(language: Language, form: string): boolean {
  const rules = new Intl.PluralRules(tagOf(language));
  return Array.from({ length: 1_000 }, (_, count) => count).filter((count) => rules.select(count) === form).length <= 1;
}

describe('languages', () => {
  it('have their keys in alphabetical order', () => {
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      const keys = Object.keys(catalogueOf(language));
      expect(keys, language).toEqual(keys.toSorted());
    }
  });

  it('have a native name and a direction', () => {
    expect(TRANSLATED.map(directionOf)).toEqual(['ltr', 'ltr', 'ltr', 'ltr', 'ltr', 'rtl']);
    for (const language of TRANSLATED) expect(LANGUAGES[language], language).not.toMatch(/^(german|french|spanish)/i);
  });

  it('have one arrow between sections of the settings', () => {
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      const texts = Object.entries(catalogueOf(language)).filter(([key]) => !key.startsWith('keyname.'));
      const arrows = texts.flatMap(([, message]) => JSON.stringify(message).match(/[←→›]/g) ?? []);
      expect([...new Set(arrows)], language).toEqual([directionOf(language) === 'rtl' ? '←' : '→']);
    }
  });

  describe.each(TRANSLATED)('%s', (language) => {
    it('has exactly the keys of the English catalogue', () => {
      expect(Object.keys(catalogueOf(language))).toEqual(Object.keys(en));
    });

    it('has every plural form and the parameters of the English message', () => {
      const forms = new Intl.PluralRules(tagOf(language)).resolvedOptions().pluralCategories;
      for (const [key, message] of Object.entries(catalogueOf(language))) {
        const english = ENGLISH[key];
        if (english === undefined) continue;
        const expected = parametersOf(english);
        if (typeof message === 'string') {
          expect(typeof english, `${key} is a plural`).toBe('string');
          expect(message.trim(), key).not.toBe('');
          expect(names(message), key).toEqual(expected);
          continue;
        }
        expect(Object.keys(message).sort(), key).toEqual([...forms].sort());
        for (const [form, text] of Object.entries(message)) {
          expect(text.trim(), `${key}.${form}`).not.toBe('');
          const free =
            coversOneNumber(language, form) ||
            (typeof english !== 'string' && !Object.values(english).every((it) => it.includes('{count}')));
          const found = names(text).filter((name) => !(free && name === '{count}'));
          expect(found, `${key}.${form}`).toEqual(expected.filter((name) => !(free && name === '{count}')));
        }
      }
    });
  });
});

/** Each language has one form of address, word, sign or space for one thing; these are the others. */
const REFUSED: readonly (readonly [Translated, string, RegExp])[] = [
  [
    'de',
    'impersonal',
    /\b([Dd](u|ir|ich|eine?[mnrs]?)|Sie (können|haben|müssen|es|das|die|den|sich)|Ihre?[mnrs]?|Ihnen)\b/,
  ],
  [
    'de',
    'impersonal',
    /(^|[.:] )(Gib|Lies|Wähle|Prüfe|Überprüfe|Aktualisiere|Erstelle)\b|eben Sie\b|, was Sie\b|wenn Sie\b/,
  ],
  ['de', 'one word', /Laufwerk|Schlummerfunktion/],
  ['es', 'impersonal', /(?<![\p{L}])([Tt]ú|[Tt]us?|[Pp]uedes|usted|Deshiciste|Déjalo)(?![\p{L}])/u],
  ['es', 'impersonal', /(^|[.:] )(Introduce|Elige|Escribe|Comprueba|Lee|Quita|Actualiza|Créelos|Vuelve)\b/],
  ['fr', 'impersonal', /\b([Vv]ous|[Vv]os|[Vv]otre|Mettez|Saisissez|Choisissez|\p{L}{3,}(?<!n)ez)\b/u],
  ['es', 'one tense', /(?<!\p{L})([Nn]o se pu(do|dieron)|[Ss]e (quitó|omitió|omitieron)|rechazó)(?!\p{L})/u],
  ['fr', 'no preposition before a date, which may be "demain" or "3 mai"', /jusqu’(à|au) \{(until|when)\}/],
  ['fr', 'no-break spaces', /[ \u00a0][:;!?»]|«[ \u00a0]|«\p{L}/u],
  ['ja', 'full-width punctuation', /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}][:?!]|[。？！：] |カテゴリ(?!ー)/u],
  ['ja', 'one word', /(?<!その)他([のに]| \{)/],
  ['zh', 'one word', /您|存档|本机/],
  ['zh', 'spaced letters', /\p{sc=Han}[A-Za-z]|[A-Za-z]\p{sc=Han}/u],
  ['zh', 'full-width punctuation', /\p{sc=Han}[:?!]|[。？！：] /u],
  ['ar', 'one word', /مقال(?!ة|ات|ت)|كلم(ة|ات) (ال)?سر|فئة|الفئات|تعديل/],
  ['ar', 'Latin digits', /[٠-٩٪]/],
];

describe('each language', () => {
  it.each(REFUSED)('%s has %s', (language, _, refused) => {
    for (const [key, message] of Object.entries(catalogueOf(language)))
      for (const text of typeof message === 'string' ? [message] : Object.values(message))
        expect(text, key).not.toMatch(refused);
  });
});

it('shows queries in their own direction, which right-to-left text would mirror', () => {
  const components = join(import.meta.dirname, '../../components');
  const files = readdirSync(components, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.svelte'),
  );
  expect(files.length).toBeGreaterThan(0);
  for (const name of files)
    expect(readFileSync(join(components, name), 'utf8'), name).not.toMatch(/(?<!<pre dir="ltr">)<code>/);
});

describe('the language of the window', () => {
  it("is the system's first supported language, with the dates of its country", () => {
    expect(languageFor('system', ['de-AT', 'en-US'])).toEqual({ language: 'de', format: 'de-AT' });
    expect(languageFor('system', ['C', 'fr-CA'])).toEqual({ language: 'fr', format: 'fr-CA' });
    expect(languageFor('system', ['pl', 'es-MX'])).toEqual({ language: 'es', format: 'es-MX' });
    expect(languageFor('system', ['pl'])).toEqual({ language: 'en', format: 'pl' });
    expect(languageFor('system', [])).toEqual({ language: 'en', format: 'en' });
  });

  it('is simplified Chinese only for its readers or when chosen', () => {
    expect(languageFor('system', ['zh-CN'])).toEqual({ language: 'zh', format: 'zh-CN' });
    expect(languageFor('system', ['zh'])).toEqual({ language: 'zh', format: 'zh' });
    expect(languageFor('system', ['zh-TW', 'ja'])).toEqual({ language: 'ja', format: 'ja' });
    expect(languageFor('zh', ['zh-TW'])).toEqual({ language: 'zh', format: 'zh-Hans' });
  });

  it('is the chosen one regardless of the system', () => {
    expect(languageFor('ar', ['en-GB'])).toEqual({ language: 'ar', format: 'ar' });
    expect(languageFor('de', ['en-GB', 'de-CH'])).toEqual({ language: 'de', format: 'de-CH' });
    expect(languageFor('en', ['de', 'en-GB'])).toEqual({ language: 'en', format: 'en-GB' });
  });

  it('changes at once, and the latest choice wins', async () => {
    await Promise.all([setLanguage('de'), setLanguage('ar')]);
    expect([currentLanguage().tag, currentLanguage().direction]).toEqual(['ar', 'rtl']);
    await setLanguage('de');
    expect([currentLanguage().tag, currentLanguage().direction]).toEqual(['de', 'ltr']);
    expect(t('settings.title')).toBe('Einstellungen');
    await setLanguage('en');
    expect(t('settings.title')).toBe('Settings');
  });
});
