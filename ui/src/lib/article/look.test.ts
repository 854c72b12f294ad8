import { describe, expect, it } from 'vitest';
import { LOOK } from '../state/settings.svelte';
import { asks, lookStyle, styleText } from './look';

describe('how an article is set', () => {
  it('is what its style sheet reads', () => {
    const style = lookStyle({ ...LOOK, font: 'sans', size: 2, width: 100, leading: 2, hyphens: false }, 20);
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

  it('asks no server for anything', () => {
    for (const rule of [
      'a { background: url("https://evil.example/a") }',
      'a { background: image-set("https://evil.example/a" 1x) }',
      'a { cursor: URL( //evil.example/c ) }',
      '@media screen { p { --x: \\75 rl(https://evil.example/); } }',
    ])
      expect(asks(rule), rule).toBe(true);
    for (const rule of [
      'p { color: red }',
      'p::before { content: "\\201C" }',
      'p { background: url("data:image/png;base64,AAAA") }',
      ':root { --measure: 60ch }',
    ])
      expect(asks(rule), rule).toBe(false);
  });
});
