// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { Comment } from '../ipc';
import { LOOK } from '../state/settings.svelte';
import { policy } from './article-page';
import { commentsDocument } from './comments';
import { lookStyle } from './look';

const comment: Comment = { author: 'Ada <b>', at: 5, url: 'https://a.example/1#c', html: '<p id="x">Well</p>' };
const page = (parts: Partial<Comment>[], pictures = true) =>
  commentsDocument(
    parts.map((part) => ({ ...comment, ...part })),
    {
      policy: policy('tauri://localhost', pictures),
      stylesheet: 'tauri://localhost/article.css',
      theme: 'dark',
      style: lookStyle(LOOK, 16),
      pictures,
      words: { title: 'Comments', anonymous: 'Unnamed', date: (ms) => `at ${ms}` },
    },
  );

describe('the page of comments', () => {
  it('says who, when and what, with names as text', () => {
    const html = page([{}, { author: null, at: null, url: 'javascript:alert(1)' }]);
    expect(html).toContain('Ada &lt;b&gt;');
    expect(html).toContain('<a href="https://a.example/1#c" rel="noreferrer noopener">at 5</a>');
    expect(html).toContain('Unnamed');
    expect(html).not.toContain('javascript:');
    expect(html.match(/<li /g)).toHaveLength(2);
  });

  it('stands under the policy of articles, and lets no comment name parts of the page', () => {
    const html = page([{}]);
    expect(html).toContain('default-src &#39;none&#39;');
    expect(html).not.toContain('id="x"');
  });

  it('asks for no pictures where none are wished', () => {
    const html = page([{ html: '<img src="https://t.example/1.gif" alt="A">' }], false);
    expect(html).not.toContain('t.example');
    expect(html).toContain('img-src data:');
  });
});
