import { describe, expect, it } from 'vitest';
import { LOOK } from '../state/settings.svelte';
import { lookStyle, styleText } from './look';

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
});
