import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { backwardKey, forwardKey, isRightToLeft } from './direction';
import { inLine, isolated, setCatalogue, t, withoutIsolates } from './messages';
import en from './messages/en.json';

afterEach(() => setCatalogue(en, 'en'));

const source = join(import.meta.dirname, '..');
const styles = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.(svelte|css)$/.test(path),
);

describe('right-to-left layout', () => {
  it('swaps the arrow keys', () => {
    expect([isRightToLeft(), forwardKey(), backwardKey()]).toEqual([false, 'ArrowRight', 'ArrowLeft']);
    setCatalogue(en, 'ar');
    expect([isRightToLeft(), forwardKey(), backwardKey()]).toEqual([true, 'ArrowLeft', 'ArrowRight']);
  });

  it('isolates names, and strips the marks when saving', () => {
    setCatalogue(en, 'ar');
    const message = t('add.done', { title: 'Ars (Technica)' });
    expect(message).toBe(`Subscribed to ${isolated('Ars (Technica)')}`);
    expect(withoutIsolates(message)).toBe('Subscribed to Ars (Technica)');
    setCatalogue(en, 'en');
    expect(t('add.done', { title: 'Ars (Technica)' })).toBe('Subscribed to Ars (Technica)');
  });

  it('isolates facts in one line, and uses no dot next to Arabic digits', () => {
    expect(inLine(['4 minutes', '', '38 MB'])).toBe('4 minutes · 38 MB');
    setCatalogue(en, 'ar');
    expect(inLine(['4 minutes', '', '38 MB'])).toBe(`${isolated('4 minutes')} | ${isolated('38 MB')}`);
  });

  it('keeps the order of facts within a message', () => {
    setCatalogue(en, 'ar');
    const facts = inLine(['85 requests', '4 MB']);
    const message = t('settings.traffic', { facts });
    expect(message).toBe(`All feeds: \u2067${facts}\u2069`);
    const more = inLine([facts, 'Paused']);
    expect(more).toBe(`\u2067${facts}\u2069 | ${isolated('Paused')}`);
    expect(t('settings.traffic', { facts: more })).toBe(`All feeds: \u2067${more}\u2069`);
    expect(withoutIsolates(message)).toBe('All feeds: 85 requests | 4 MB');
  });

  it.each(styles)('%s knows no left and right', (path) => {
    const text = readFileSync(join(source, path), 'utf8');
    // The middle is the same from both sides. A comment says why a declaration must not follow a text's own direction.
    const sides = text
      .replace(/\bleft: 50%/g, '')
      .replace(/\/\* physical: [^*]+\*\/\s*[^;]+;/g, '')
      .match(/(?<![-\w.])(?:(?:margin|padding|border)-)?(?:left|right): [^;{}]+;|text-align: (?:left|right)/g);
    expect(sides ?? []).toEqual([]);
    const uneven = [...text.matchAll(/(?:padding|margin): (\S+) (\S+) (\S+) (\S+);/g)];
    expect(uneven.filter(([, , right, , left]) => right !== left).map(([all]) => all)).toEqual([]);
  });
});
