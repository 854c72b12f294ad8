import { expect, it } from 'vitest';
import { distinctTitle, sharedTitles } from './feed-names';

const feed = (title: string, url: string) => ({ title, url });

it('finds the titles that several feeds have', () => {
  const feeds = ['Rye', 'Harbour', 'Rye', 'Rye'].map((title) => feed(title, 'https://example.com/'));
  expect([...sharedTitles(feeds)]).toEqual(['Rye']);
});

it('names feeds without a title by their address only if their host has several', () => {
  const feeds = [
    feed('a.example', 'https://a.example/feed?tag=x'),
    feed('a.example', 'http://a.example:8080/'),
    feed('b.example', 'https://b.example/feed'),
    feed('Same', 'https://c.example/1'),
    feed('Same', 'https://c.example/2'),
    feed('a.example', 'not an address'),
  ];
  const shared = sharedTitles(feeds);
  expect(feeds.map((one) => distinctTitle(one, shared))).toEqual([
    'a.example/feed?tag=x',
    'a.example:8080',
    'b.example',
    'Same',
    'Same',
    'a.example',
  ]);
});
