import { describe, expect, it } from 'vitest';
import { publicText, publicUrl } from './redact';

describe('an address that others see', () => {
  it('keeps what tells the feed', () => {
    for (const address of [
      'https://example.com/feed.xml',
      'https://example.com/?feed=rss2&p=12',
      'http://example.com:8080/blog/a-long-title-of-an-article/feed',
      'https://example.com/2024-01-15-what-happened/',
    ])
      expect(publicUrl(address)).toBe(address);
  });

  it('has no name, password or key', () => {
    expect(publicUrl('https://ann:sesame@example.com/feed')).toBe('https://example.com/feed');
    expect(publicUrl('https://example.com/feed?auth=abc&format=rss')).toBe(
      'https://example.com/feed?auth=…&format=rss',
    );
    expect(publicUrl('https://example.com/feed?x=9f8e7d6c5b4a39281706')).toBe('https://example.com/feed?x=…');
    expect(publicUrl('https://example.com/rss/9f8e7d6c5b4a39281706/all')).toBe('https://example.com/rss/…/all');
    expect(publicUrl('https://example.com/feed?9f8e7d6c5b4a39281706')).toBe('https://example.com/feed?…');
    expect(publicUrl('https://example.com/feed#access=1')).toBe('https://example.com/feed');
  });

  it('is found within a text', () => {
    expect(publicText('<link>https://u:p@example.com/a?token=abc</link> & more')).toBe(
      '<link>https://example.com/a?token=…</link> & more',
    );
    expect(publicText('no address')).toBe('no address');
  });
});
