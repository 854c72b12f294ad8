import { expect, it } from 'vitest';
import { withoutFeedScheme } from './feed-scheme';

it.each([
  ['feed:https://example.com/feed', 'https://example.com/feed'],
  ['feed://https://example.com/feed', 'https://example.com/feed'],
  ['FEED:example.com/feed', 'example.com/feed'],
  ['podcast://example.com/feed', 'http://example.com/feed'],
  ['web+feed:http://example.com/feed', 'http://example.com/feed'],
  ['https://example.com/feed:a', 'https://example.com/feed:a'],
  ['feeds.example.com', 'feeds.example.com'],
  ['feed:', 'feed:'],
  ['', ''],
])('shows the address that is requested: %s', (text, address) => expect(withoutFeedScheme(text)).toBe(address));
