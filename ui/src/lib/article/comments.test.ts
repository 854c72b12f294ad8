// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { Comment } from '../ipc';
import { TYPOGRAPHY_DEFAULTS } from '../state/settings.svelte';
import { policy } from './article-page';
import { commentsDocument } from './comments';
import { typographyStyle } from './typography';

const comment: Comment = { author: 'Ada <b>', at: 5, url: 'https://a.example/1#c', html: '<p id="x">Well</p>' };
const page = (parts: Partial<Comment>[], images = true) =>
  commentsDocument(
    parts.map((part) => ({ ...comment, ...part })),
    {
      policy: policy('tauri://localhost', images),
      stylesheet: 'tauri://localhost/article.css',
      theme: 'dark',
      style: typographyStyle(TYPOGRAPHY_DEFAULTS, 16),
      images,
      words: { title: 'Comments', anonymous: 'Unnamed', date: (ms) => `at ${ms}` },
    },
  );

describe('comments page', () => {
  it('shows author, date and text, with names escaped', () => {
    const html = page([{}, { author: null, at: null, url: 'javascript:alert(1)' }]);
    expect(html).toContain('Ada &lt;b&gt;');
    expect(html).toContain('<a href="https://a.example/1#c" rel="noreferrer noopener">at 5</a>');
    expect(html).toContain('Unnamed');
    expect(html).not.toContain('javascript:');
    expect(html.match(/<li /g)).toHaveLength(2);
  });

  it('has the policy of articles and removes ids from comments', () => {
    const html = page([{}]);
    expect(html).toContain('default-src &#39;none&#39;');
    expect(html).not.toContain('id="x"');
  });

  it('requests no images if they are turned off', () => {
    const html = page([{ html: '<img src="https://t.example/1.gif" alt="A">' }], false);
    expect(html).not.toContain('t.example');
    expect(html).toContain('img-src data:');
  });
});
