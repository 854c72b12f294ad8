import { describe, expect, it } from 'vitest';
import { webAddress } from './web-address';

describe('a web address', () => {
  it.each([
    [' example.com/feed ', 'https://example.com/feed'],
    ['http://example.com', 'http://example.com/'],
    ['example.com:8080/feed', 'https://example.com:8080/feed'],
    ['http://localhost:4000/feed', 'http://localhost:4000/feed'],
    ['http://[::1]/feed', 'http://[::1]/feed'],
    ['', null],
    ['a feed', null],
    ['feed', null],
    ['file:///etc/passwd', null],
    ['javascript:alert(1)', null],
  ])('%j is %j', (typed, url) => expect(webAddress(typed)).toBe(url));
});
