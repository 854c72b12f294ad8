import { describe, expect, it } from 'vitest';
import { publicExcerpt, publicText, publicUrl } from './redact';

describe('redacted address', () => {
  it('still identifies the feed', () => {
    for (const address of [
      'https://example.com/feed.xml',
      'https://example.com/feed?rss2',
      'https://example.com/wp-content/feed-2.0/iso-8859-1.xml',
      'https://example.com/summer2024/episode-012.mp3',
      'http://example.com:8080/blog/a-long-title-of-an-article/feed',
      'https://example.com/2024-01-15-what-happened/',
    ])
      expect(publicUrl(address)).toBe(address);
  });

  it('has no user name, password or key', () => {
    expect(publicUrl('https://ann:sesame@example.com/feed')).toBe('https://example.com/feed');
    expect(publicUrl('https://example.com/feed?auth=abc&format=rss')).toBe('https://example.com/feed?auth=…&format=…');
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

  it('hides numbers, short keys and percent-encoded keys', () => {
    expect(publicUrl('https://example.com/feed?pin=123456&p=12')).toBe('https://example.com/feed?pin=…&p=…');
    expect(publicUrl('https://example.com/feed/9f8e7d6c/rss')).toBe('https://example.com/feed/…/rss');
    expect(publicUrl('https://example.com/feed/ab12cd34ef56')).toBe('https://example.com/feed/…');
    expect(publicUrl('https://example.com/feed/Ab%2Bd9%2Fxy3z%3D%3D81%2D9f8e')).toBe('https://example.com/feed/…');
    expect(publicUrl('https://example.com/feed/%69f8e7d6c5')).toBe('https://example.com/feed/…');
    expect(publicUrl('https://example.com/feed/QwErTyUiOpAsDf')).toBe('https://example.com/feed/…');
    expect(publicUrl('https://example.com/feed/81726354908172')).toBe('https://example.com/feed/…');
    expect(publicUrl('https://example.com/feed;sid=ann')).toBe('https://example.com/feed;sid=…');
  });

  it('is omitted if it is invalid or a local file', () => {
    expect(publicUrl('https://ada:pw@a.example:99999/feed')).toBe('…');
    expect(publicText('see https://ada:pw@a.example:99999/feed?x=1 there')).toBe('see … there');
    expect(publicUrl('file:///home/ada/feeds/private.xml')).toBe('file:///…');
    expect(publicText('"file:///home/ada/private.xml"')).toBe('"file:///…"');
  });

  it('is redacted by its parts', () => {
    expect(publicText('<a href="/feed?token=abc&amp;user=ann&#38;p=1">')).toBe(
      '<a href="/feed?token=…&amp;user=…&#38;p=…">',
    );
    expect(publicText('{"url":"https:\\/\\/u:p@a.example\\/rss\\/9f8e7d6c5b4a\\/?token=abc"}')).toBe(
      '{"url":"https:\\/\\/a.example\\/rss\\/…\\/?token=…"}',
    );
    expect(publicText('"/feed?a=ann\\u0026token=abc#key=def"')).toBe('"/feed?a=…\\u0026token=…"');
    expect(publicText('//ada:pw@a.example/feed')).toBe('//…@a.example/feed');
    expect(publicText('key 9f8e7d6c5b4a39281706, at 2026-11-22T10:00:00Z in iso-8859-15')).toBe(
      'key …, at 2026-11-22T10:00:00Z in iso-8859-15',
    );
  });

  it('is removed from an excerpt that starts within it', () => {
    const cut = '/private/episode-012.mp3?token=abcdef0123456789&sig=9f8e7d6c" type="audio/mpeg">';
    expect(publicText(cut)).toBe('/private/episode-012.mp3?token=…&sig=…" type="audio/mpeg">');
    expect(publicExcerpt(`abcdef&x=1 <title>A & B</title>`, 22)).toBe('… <title>A & B</title>');
    expect(publicExcerpt('ken=abcdef&sig=ghi', 11)).not.toContain('ghi');
    expect(publicExcerpt('ada:pw@a.example/sesame&sig=x', 24)).toBe('…');
    expect(publicExcerpt('<title>Fish & chips</title>', 12)).toBe('<title>Fish & chips</title>');
    expect(publicExcerpt('Fish & chips', 5)).toBe('Fish & chips');
  });
});
