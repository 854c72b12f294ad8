import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import en from './en.json';
import { ERROR_CODES, errorText } from './errors';
import { ago, fileSize, monthDate, percent, shortDate } from './format';
import { contained, inLine, sentences, setCatalogue, setLanguage, t, withoutIsolates, type Catalogue } from './index';
import { LANGUAGES, knownLocale, type Language } from './languages';
import { keysModule } from '../../../scripts/messages.js';

afterEach(() => setCatalogue(en, 'en'));
setCatalogue(en, 'en');

describe('messages', () => {
  it('fill in names and numbers', () => {
    expect(t('refresh.progress', { done: 1310, total: 2498 })).toBe('1,310 of 2,498');
    expect(t('add.done', { title: 'A {count} & <b>' })).toBe('Subscribed to A {count} & <b>');
  });

  it('shorten titles and names, so that the rest of the message stays in view', () => {
    const title = '🌾'.repeat(2000);
    expect(t('toast.unsubscribed.noted', { title, count: 1 })).toBe(
      `Unsubscribed from ${'🌾'.repeat(100)}…. Notes on 1 of its articles will be deleted in one day.`,
    );
    expect(t('add.done', { title: '🌾'.repeat(100) })).toBe(`Subscribed to ${'🌾'.repeat(100)}`);
    expect(t('add.done', { title: `\u2068${title}\u2069` })).toBe(`Subscribed to \u2068${'🌾'.repeat(99)}…\u2069`);
    const address = `https://rye.example/${'a'.repeat(200)}`;
    expect(t('toast.copy_failed', { address })).toContain(address);
  });

  it('keep an unclosed override within the text that it came with', () => {
    expect(t('add.done', { title: 'a\u202egpj.\u2066b' })).toBe('Subscribed to agpj.\u2066b\u2069');
    expect(contained('\u2069\u202aa\u2068b\u2069\u2069')).toBe('a\u2068b\u2069');
    expect(inLine(['a\u2067', 'b'])).toBe('a\u2067\u2069 · b');
    setCatalogue(en, 'ar');
    expect(inLine(['a\u202e', 'b'])).toBe('\u2068a\u2069 | \u2068b\u2069');
  });

  it('keep signs of addresses and elements in their order, and are stored without isolates', async () => {
    await setLanguage('ar');
    const text = t('error.unsupported_scheme', { scheme: 'ftp' });
    expect(text).toContain('\u2066\u2068ftp\u2069:\u2069');
    expect(withoutIsolates(text)).not.toMatch(/[\u2066-\u2069]/);
    expect(t('inspect.detail.unescaped_less_than')).toContain('\u2066<\u2069');
  });

  it('choose the plural form', () => {
    expect(t('mark.many.read', { count: 1 })).toBe('1 article marked as read');
    expect(t('mark.many.read', { count: 0 })).toBe('0 articles marked as read');
    expect(t('mark.many.read', { count: 2000 })).toBe('2,000 articles marked as read');
  });

  it('choose the plural form by the rules of the language', () => {
    const arabic: Catalogue = { ...en, 'list.new': { zero: 'z', one: 'o', two: 't', few: 'f', many: 'm', other: 'x' } };
    setCatalogue(arabic, 'ar', 'en');
    expect([0, 1, 2, 5, 11, 100].map((count) => t('list.new', { count }))).toEqual(['z', 'o', 't', 'f', 'm', 'x']);
  });

  it('join sentences as their script does', () => {
    expect(sentences(['One.', '', 'Two.'])).toBe('One. Two.');
    expect(sentences(['新着記事 24 件。', '次回の確認は明日です。'])).toBe('新着記事 24 件。次回の確認は明日です。');
  });

  it('have no space between ideograms around a date', async () => {
    await setLanguage('zh');
    expect(t('feed_info.next.plain', { when: '明天 00:16' })).toBe('下次检查约在明天 00:16。');
    expect(t('feed_info.next.plain', { when: '2026年12月3日' })).toBe('下次检查约在 2026年12月3日。');
    expect(t('error.retry_after_until', { until: '明天 00:16' })).toBe('网站要求 Gleaner 等到明天 00:16。');
    expect(t('certificate.valid.span', { from: '2026年5月3日', until: '2026年6月3日' })).toBe(
      '2026年5月3日至 2026年6月3日',
    );
    await setLanguage('ja');
    expect(t('feed_info.next.plain', { when: '明日 0:16' })).toBe('次回の確認は明日 0:16 ごろです。');
    expect(t('error.certificate_expired', { date: '2026年5月3日' })).toBe(
      'サーバーの証明書は 2026年5月3日に期限切れになりました。',
    );
    expect(t('add.done', { title: '冬の庭' })).toContain('冬の庭');
  });

  it('name a month without an article', async () => {
    const texts = [];
    for (const language of ['de', 'fr', 'es'] as const) {
      await setLanguage(language);
      texts.push(t('suggestion.inactive', { date: monthDate(Date.UTC(2024, 4, 15)) }));
    }
    expect(texts).toEqual([
      'Keine neuen Artikel seit Mai 2024.',
      'Aucun nouvel article depuis mai 2024.',
      'No hay artículos nuevos desde mayo de 2024.',
    ]);
  });

  it('have up-to-date types', () => {
    const generated = readFileSync(join(import.meta.dirname, 'keys.generated.ts'), 'utf8');
    expect(generated === keysModule(en), 'run `npm run messages`').toBe(true);
  });

  it('are never empty, and each is used', () => {
    const sources = (folder: string): string =>
      readdirSync(folder)
        .map((name) => join(folder, name))
        .filter((path) => !/\.json$|keys\.generated\.ts$/.test(path))
        .map((path) => (statSync(path).isDirectory() ? sources(path) : readFileSync(path, 'utf8')))
        .join('\n');
    const code = sources(join(import.meta.dirname, '../..'));
    // Keys built from a prefix and a variable part.
    const built = [
      /^error\./,
      /^accounts\.stage\./,
      /^sync_log\.(refused|delayed|unsupported|kept)$/,
      /^attention\.cause\.[a-z_]+$/,
      /^marks\.by\./,
      /^import\.reason\./,
      /^view\./,
      /^empty\.(today|unread|starred|all|feed|folder)/,
      /^settings\.theme\./,
      /^typography\.font\.(serif|sans|system)$/,
      /^list\.order\.(newest|oldest|by_feed|infrequent_first|longest|shortest|(title|author)(_descending)?)$/,
      /^mark\.(one|many)\.(read|unread|starred|unstarred)$/,
      /^search\.order\.(date|relevance)$/,
      /^settings\.sections\.(searches|tags|notes_and_hidden|languages)$/,
      // Shown by the core.
      /^desktop\./,
      /^background\.on_close\.(ask|background|quit)$/,
      /^background\.login\.(off|window|background)$/,
      /^feed_tabs\.(general|activity|source)$/,
      /^list\.group\.(none|day|feed)$/,
      /^layout\.(panes|magazine|compact|columns)$/,
      /^arrangement\.(widescreen|classic)$/,
      /^column\.(title|feed|author|date|length)(\.width)?$/,
      /^density\.(comfortable|cosy|compact)$/,
      /^keys\.preset\.(gleaner|vim|net_news_wire|reader)$/,
      /^feed_info\.next\.(first|hand|usual|preference|no_validators|fresh|ttl|period|skipped|failed|retry_after|silent_host)$/,
      /^poll\.reason\./,
      /^backfill\.(complete|nothing_offered|limit|cancelled|feed_changed|other_process)$/,
      /^notes\.(color|mark)\.(yellow|green|blue|pink)$/,
      /^save\.(results\.)?(markdown|html|epub)$/,
      /^dialog\.(new_folder|save_search)$/,
    ];
    for (const [key, message] of Object.entries(en)) {
      expect(typeof message === 'string' ? message : message.other, key).not.toBe('');
      expect(code.includes(`'${key}'`) || built.some((pattern) => pattern.test(key)), `${key} is used`).toBe(true);
    }
  });
});

/** All parameters of errors. */
const PARAMETERS = [
  'scheme',
  'location',
  'limit',
  'host',
  'proxy',
  'status',
  'until',
  'name',
  'date',
  'root',
  'file',
  'program',
  'means',
  'count',
  'url',
];

describe('errors', () => {
  it.each(Object.keys(LANGUAGES) as Language[])(
    'say what happened and what to do, for every code, in %s',
    async (language) => {
      await setLanguage(language);
      const params = Object.fromEntries(
        PARAMETERS.map((name) => [name, name === 'date' ? '2026-05-03' : '1700000000000']),
      );
      for (const code of ERROR_CODES) {
        const words = errorText({ code, params });
        for (const text of Object.values(words)) {
          expect(text, code).toMatch(/[.。]$/);
          expect(text, code).not.toMatch(/[{}]|undefined|NaN/);
        }
      }
    },
  );

  it('explain the HTTP status', () => {
    expect(errorText({ code: 'gone', params: {} }).what).toContain('removed');
    expect(errorText({ code: 'http_status', params: { status: '503' } }).what).toContain('503');
  });

  it('name the day that a certificate expired', () => {
    setCatalogue(en, 'en', 'en-GB');
    const words = errorText({ code: 'certificate_expired', params: { date: '2026-05-03' } });
    expect(words.what).toBe('The server’s certificate expired on 3 May 2026.');
  });
});

describe('dates and sizes', () => {
  const now = new Date(2026, 10, 20, 15, 0).getTime();
  const at = (...parts: [number, number, number, number?]) =>
    new Date(...(parts as [number, number, number])).getTime();

  it('are short in a list row', () => {
    setCatalogue(en, 'en', 'en-GB');
    expect(shortDate(new Date(2026, 10, 20, 9, 41).getTime(), now)).toBe('09:41');
    expect(shortDate(at(2026, 10, 19), now)).toBe('Yesterday');
    expect(shortDate(at(2026, 10, 17), now)).toBe('Tue');
    expect(shortDate(at(2026, 4, 3), now)).toBe('3 May');
    expect(shortDate(at(2025, 4, 3), now)).toBe('3 May 2025');
  });

  it('spell out bytes', () => {
    setCatalogue(en, 'en', 'en-GB');
    expect(fileSize(38_400_000)).toBe('38.4 MB');
    expect([0, 1, 212].map(fileSize)).toEqual(['0 bytes', '1 byte', '212 bytes']);
  });

  it('have a space before a Chinese unit, as the messages have', () => {
    setCatalogue(en, 'zh', 'zh-CN');
    expect([ago(5, 'hour'), fileSize(0)]).toEqual(['5 小时前', '0 字节']);
  });

  it('have the digits of the messages in every country', () => {
    for (const locale of ['ar', 'ar-EG', 'ar-SA', 'fa']) {
      setCatalogue(en, 'ar', locale);
      const shown = [
        t('list.new', { count: 494 }),
        fileSize(38_400_000),
        percent(0.5),
        ago(5, 'hour'),
        shortDate(0, 0),
      ];
      for (const text of shown) expect(text, locale).toMatch(/^[^\p{Nd}]*[0-9][0-9\P{Nd}]*$/u);
    }
  });
});

describe('the locale of dates and numbers', () => {
  it('is the first that the platform supports', () => {
    expect(knownLocale(['C', '', 'de-AT', 'fr'])).toBe('de-AT');
    expect(knownLocale(['C', 'POSIX_'])).toBe('en');
    expect(knownLocale([])).toBe('en');
  });
});
