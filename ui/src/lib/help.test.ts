import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GUIDE, searchGuide } from './help';
import english from './messages/en.json';

it('contains every page of docs/guide', () => {
  const files = readdirSync(new URL('../../../docs/guide', import.meta.url));
  expect(GUIDE.map(({ name }) => `${name}.md`).sort()).toEqual([...files, 'news.md'].sort());
  for (const page of GUIDE) expect(page.sections.length, page.name).toBeGreaterThan(0);
});

it('names the controls as the window does', () => {
  const names = new Set(
    Object.values(english).flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text))),
  );
  const quoted = GUIDE.flatMap(({ sections }) => sections.flatMap(({ html }) => [...html.matchAll(/“([^”]*)”/g)]));
  const controls = quoted.flatMap(([, text]) => (text ?? '').split(' → ')).filter((text) => text !== '');
  expect(controls.length).toBeGreaterThan(10);
  expect(controls.filter((control) => !names.has(control.replaceAll('\n', ' ')))).toEqual([]);
});

it('finds sections by all their words, titles first', () => {
  expect(searchGuide('  ')).toEqual([]);
  expect(searchGuide('zebra')).toEqual([]);
  const titles = searchGuide('PODCASTS audio').map(({ page, section }) => page.sections[section]?.title);
  expect(titles[0]).toBe('Podcasts and other audio');
  const [first] = searchGuide('rules');
  expect(first?.page.name).toBe('organising');
});

it('has screenshots in both themes, tables and code', () => {
  const all = GUIDE.flatMap(({ sections }) => sections.map(({ html }) => html)).join('');
  const screenshots = [...all.matchAll(/<img class="(light|dark|always)" src="[^"]+\.webp" alt="[^"]+"/g)];
  const count = (theme: string) => screenshots.filter((found) => found[1] === theme).length;
  expect(all.match(/<img/g)).toHaveLength(screenshots.length);
  expect(count('light')).toBeGreaterThan(6);
  expect(count('dark')).toBe(count('light'));
  expect(count('always')).toBe(1);
  expect(all).toContain('<table>');
  expect(all).toContain('glean refresh\n');
});
