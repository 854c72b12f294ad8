import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { en, type Message } from './en';
import { setCatalogue, speak, spoken, t } from './index';
import {
  COMPLETE,
  LANGUAGES,
  PLURALS,
  directionOf,
  spokenBy,
  tagOf,
  type Language,
  type Translated,
} from './languages';

afterEach(() => setCatalogue(en, 'en'));

const TRANSLATED = Object.keys(COMPLETE) as Translated[];
const ENGLISH = en as Readonly<Record<string, Message>>;

const wordsOf = async (language: Translated): Promise<Readonly<Record<string, Message>>> =>
  ((await import(`./${language}/index.ts`)) as { words: Record<string, Message> }).words;

const names = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

/** What must be filled in: that of the plural's general form. */
const wanted = (message: Message): string[] => names(typeof message === 'string' ? message : message.other);

/** A form that is said of one number only, such as "one" in German, may leave the number out. */
function saysOneNumber(language: Language, form: string): boolean {
  const rules = new Intl.PluralRules(tagOf(language));
  return Array.from({ length: 1_000 }, (_, count) => count).filter((count) => rules.select(count) === form).length <= 1;
}

describe('languages', () => {
  it('have the plurals that the platform tells apart', () => {
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      const forms = new Intl.PluralRules(tagOf(language)).resolvedOptions().pluralCategories;
      expect([...PLURALS[language]].sort(), language).toEqual([...forms].sort());
    }
  });

  it('have names in their own words and a direction', () => {
    expect(TRANSLATED.map(directionOf)).toEqual(['ltr', 'ltr', 'ltr', 'ltr', 'ltr', 'rtl']);
    for (const language of TRANSLATED) expect(LANGUAGES[language], language).not.toMatch(/^(german|french|spanish)/i);
  });

  describe.each(TRANSLATED)('%s', (language) => {
    it('says all that it has to, and nothing else', async () => {
      const words = await wordsOf(language);
      const unknown = Object.keys(words).filter((key) => !(key in en));
      expect(unknown).toEqual([]);
      const missing = Object.keys(en).filter((key) => !(key in words));
      if (COMPLETE[language]) expect(missing).toEqual([]);
    });

    it('has a file of a name only where English has one, and each is in its catalogue', async () => {
      const files = (folder: string) =>
        readdirSync(join(import.meta.dirname, folder)).filter((it) => it !== 'index.ts');
      const english = files('en');
      const words = await wordsOf(language);
      for (const file of files(language)) {
        expect(english).toContain(file);
        const parts = Object.values(
          (await import(`./${language}/${file.replace('.ts', '')}.ts`)) as object,
        ) as object[];
        for (const key of parts.flatMap(Object.keys)) expect(key in words, `${file}: ${key}`).toBe(true);
      }
    });

    it('gives every form of a plural, and fills in what English does', async () => {
      const forms = new Intl.PluralRules(tagOf(language)).resolvedOptions().pluralCategories;
      for (const [key, message] of Object.entries(await wordsOf(language))) {
        const english = ENGLISH[key];
        if (english === undefined) continue;
        const needs = wanted(english);
        if (typeof message === 'string') {
          expect(typeof english, `${key} is a plural`).toBe('string');
          expect(message.trim(), key).not.toBe('');
          expect(names(message), key).toEqual(needs);
          continue;
        }
        expect(Object.keys(message).sort(), key).toEqual([...forms].sort());
        for (const [form, text] of Object.entries(message)) {
          expect(text.trim(), `${key}.${form}`).not.toBe('');
          const free =
            saysOneNumber(language, form) ||
            (typeof english !== 'string' && !Object.values(english).every((it) => it.includes('{count}')));
          const said = names(text).filter((name) => !(free && name === '{count}'));
          expect(said, `${key}.${form}`).toEqual(needs.filter((name) => !(free && name === '{count}')));
        }
      }
    });
  });
});

describe('the language that is spoken', () => {
  it('is the first of the system that there is, with the dates of its country', () => {
    expect(spokenBy('system', ['de-AT', 'en-US'])).toEqual({ language: 'de', format: 'de-AT' });
    expect(spokenBy('system', ['C', 'fr-CA'])).toEqual({ language: 'fr', format: 'fr-CA' });
    expect(spokenBy('system', ['pl', 'es-MX'])).toEqual({ language: 'es', format: 'es-MX' });
    expect(spokenBy('system', ['pl'])).toEqual({ language: 'en', format: 'pl' });
    expect(spokenBy('system', [])).toEqual({ language: 'en', format: 'en' });
  });

  it('is Chinese for readers of simplified letters only, unless they wish it', () => {
    expect(spokenBy('system', ['zh-CN'])).toEqual({ language: 'zh', format: 'zh-CN' });
    expect(spokenBy('system', ['zh'])).toEqual({ language: 'zh', format: 'zh' });
    expect(spokenBy('system', ['zh-TW', 'ja'])).toEqual({ language: 'ja', format: 'ja' });
    expect(spokenBy('zh', ['zh-TW'])).toEqual({ language: 'zh', format: 'zh-Hans' });
  });

  it('is what was chosen, whatever the system says', () => {
    expect(spokenBy('ar', ['en-GB'])).toEqual({ language: 'ar', format: 'ar' });
    expect(spokenBy('de', ['en-GB', 'de-CH'])).toEqual({ language: 'de', format: 'de-CH' });
    expect(spokenBy('en', ['de', 'en-GB'])).toEqual({ language: 'en', format: 'en-GB' });
  });

  it('takes effect at once, and the one wished last wins', async () => {
    await Promise.all([speak('de'), speak('ar')]);
    expect([spoken().tag, spoken().direction]).toEqual(['ar', 'rtl']);
    await speak('de');
    expect([spoken().tag, spoken().direction]).toEqual(['de', 'ltr']);
    expect(t('settings.title')).toBe('Einstellungen');
    await speak('en');
    expect(t('settings.title')).toBe('Settings');
  });
});
