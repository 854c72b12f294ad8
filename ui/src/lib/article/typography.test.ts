import { describe, expect, it } from 'vitest';
import { TYPOGRAPHY_DEFAULTS } from '../state/settings.svelte';
import { causesRequest, typographyStyle, styleText } from './typography';

describe('typography', () => {
  it('becomes CSS properties of the page', () => {
    const style = typographyStyle(
      { ...TYPOGRAPHY_DEFAULTS, font: 'sans', size: 2, line_length: 100, line_height: 2, hyphenation: false },
      20,
    );
    expect(style).toEqual({
      'font-size': '20px',
      '--article-font': 'var(--font)',
      '--article-size': '2.25rem',
      '--article-width': '50.50em',
      '--article-leading': '2',
      '--article-hyphens': 'manual',
    });
    expect(styleText({ a: '1', b: '2' })).toBe('a:1;b:2');
  });

  it('drops user rules that cause requests', () => {
    for (const rule of [
      'a { background: url("https://evil.example/a") }',
      'a { background: image-set("https://evil.example/a" 1x) }',
      'a { cursor: URL( //evil.example/c ) }',
      '@media screen { p { --x: \\75 rl(https://evil.example/); } }',
    ])
      expect(causesRequest(rule), rule).toBe(true);
    for (const rule of [
      'p { color: red }',
      'p::before { content: "\\201C" }',
      'p { background: url("data:image/png;base64,AAAA") }',
      ':root { --measure: 60ch }',
    ])
      expect(causesRequest(rule), rule).toBe(false);
  });
});
