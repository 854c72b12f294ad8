import { describe, expect, it } from 'vitest';
import { isUnencrypted, webAddress } from './web-address';

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

describe('an unencrypted address', () => {
  it.each([
    ['http://rss.example.org', true],
    [' HTTP://192.168.1.5/api', true],
    ['http://127.0.0.1.example.org', true],
    ['http://localhost.example.org', true],
    ['http:', true],
    ['https://rss.example.org', false],
    ['rss.example.org', false],
    ['http://127.0.0.6:8080', false],
    ['http://127.1/', false],
    ['http://localhost:8080/api', false],
    ['http://[::1]/', false],
  ])('%j: %j', (address, expected) => expect(isUnencrypted(address)).toBe(expected));
});
