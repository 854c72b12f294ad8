import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { backwardKey, forwardKey, isRightToLeft } from './direction';
import { inLine, isolated, setCatalogue, t, unmarked } from './messages';
import { en } from './messages/en';

afterEach(() => setCatalogue(en, 'en'));

const source = join(import.meta.dirname, '..');
const styles = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.(svelte|css)$/.test(path),
);

describe('from right to left', () => {
  it('the arrow keys change places', () => {
    expect([isRightToLeft(), forwardKey(), backwardKey()]).toEqual([false, 'ArrowRight', 'ArrowLeft']);
    setCatalogue(en, 'ar');
    expect([isRightToLeft(), forwardKey(), backwardKey()]).toEqual([true, 'ArrowLeft', 'ArrowRight']);
  });

  it('a name stirs nothing around it, and is whole again where it is kept', () => {
    setCatalogue(en, 'ar');
    const told = t('add.done', { title: 'Ars (Technica)' });
    expect(told).toBe(`Subscribed to ${isolated('Ars (Technica)')}`);
    expect(unmarked(told)).toBe('Subscribed to Ars (Technica)');
    setCatalogue(en, 'en');
    expect(t('add.done', { title: 'Ars (Technica)' })).toBe('Subscribed to Ars (Technica)');
  });

  it('facts in one line keep to themselves, and no dot is among digits that it looks like', () => {
    expect(inLine(['4 minutes', '', '38 MB'])).toBe('4 minutes · 38 MB');
    setCatalogue(en, 'ar');
    expect(inLine(['4 minutes', '', '38 MB'])).toBe(`${isolated('4 minutes')} | ${isolated('38 MB')}`);
  });

  it.each(styles)('%s knows no left and right', (path) => {
    const text = readFileSync(join(source, path), 'utf8');
    // The middle is the same from either side.
    const sides = text
      .replace(/\bleft: 50%/g, '')
      .match(/(?<![-\w.])(?:(?:margin|padding|border)-)?(?:left|right): [^;{}]+;|text-align: (?:left|right)/g);
    expect(sides ?? []).toEqual([]);
    const uneven = [...text.matchAll(/(?:padding|margin): (\S+) (\S+) (\S+) (\S+);/g)];
    expect(uneven.filter(([, , right, , left]) => right !== left).map(([all]) => all)).toEqual([]);
  });
});
