import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const tokens = read('./tokens.css');
const shell = read('../../../src-tauri/src/window.rs');

/** Converts `oklch(l c h)` or a hex colour to sRGB (CSS Color 4, section 10.1). */
function srgb(colour: string): number[] {
  const hex = /^#(\w)(\w)(\w)$/.exec(colour);
  if (hex) return hex.slice(1).map((digit) => parseInt(digit + digit, 16));
  const [l, c, h] = colour.match(/[\d.]+/g)!.map(Number) as [number, number, number];
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)];
  const [x, y, z] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ];
  const linear = [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ];
  return linear.map((part) => Math.round(255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055)));
}

it('has the colours that the shell paints before the page is there', () => {
  const themes: [string, RegExp][] = [
    ['Light', /:root \{[^}]*?--bg: ([^;]+);/],
    ['Dark', /data-theme='dark'\] \{[^}]*?--bg: ([^;]+);/],
    ['Sepia', /data-theme='sepia'\] \{[^}]*?--bg: ([^;]+);/],
    ['Contrast, false', /data-theme='contrast'\] \{[^}]*?--bg: ([^;]+);/],
    ['Contrast, true', /data-theme='contrast-dark'\] \{[^}]*?--bg: ([^;]+);/],
  ];
  for (const [theme, rule] of themes) {
    const painted = new RegExp(`Theme::${theme}.*=> Color\\((\\d+), (\\d+), (\\d+), 255\\)`).exec(shell);
    expect(painted?.slice(1).map(Number), theme).toEqual(srgb(rule.exec(tokens)?.[1] ?? ''));
  }
});

/** Contrast of two colours in sRGB (WCAG 2.2, relative luminance). */
function contrast(one: number[], other: number[]): number {
  const luminance = (colour: number[]): number => {
    const [r, g, b] = colour.map((part) => Math.min(Math.max(part / 255, 0), 1));
    const linear = [r!, g!, b!].map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
  };
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

it.each(['light', 'dark', 'sepia', 'contrast', 'contrast-dark'])('has readable colours of code: %s', (theme) => {
  const values = (rule: string): [string, string][] =>
    [...rule.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name, value]) => [name!, value!]);
  const base = /:root \{([^}]*)/.exec(tokens)?.[1] ?? '';
  const own = new RegExp(`data-theme='${theme}'\\] \\{([^}]*)`).exec(tokens)?.[1] ?? '';
  const all = new Map([...values(base), ...values(own)]);
  const resolved = (name: string): string =>
    (all.get(name) ?? '').replace(/var\(--([\w-]+)\)/g, (_, inner: string) => resolved(inner));
  const kinds = [...all.keys()].filter((name) => name.startsWith('code-') && name !== 'code-l');
  expect(kinds).toHaveLength(9);
  const least = theme.startsWith('contrast') ? 7 : 4.5;
  for (const kind of kinds)
    expect(contrast(srgb(resolved(kind)), srgb(resolved('code'))), kind).toBeGreaterThanOrEqual(least);
});
