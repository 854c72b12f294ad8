import { expect, it } from 'vitest';
import { linkOf } from './add-feed';

it.each([
  ['https://example.com/feed', 'https://example.com/feed'],
  ['  feed:https://example.com/ \n', 'feed:https://example.com/'],
  ['feed://example.com/rss', 'feed://example.com/rss'],
  ['http://localhost/feed', 'http://localhost/feed'],
  ['example.com', null],
  ['two https://example.com/ words', null],
  ['https://', null],
  ['mailto:a@example.com', null],
  ['javascript:alert(1)', null],
  [`https://example.com/${'x'.repeat(3000)}`, null],
])('recognises a pasted link: %s', (text, link) => expect(linkOf(text)).toBe(link));
