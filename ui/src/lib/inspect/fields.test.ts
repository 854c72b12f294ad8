import { describe, expect, it } from 'vitest';
import { matchesField, formatName, inOrder, hasValue, origin } from './fields';

const field = (name: string, value: string | null = 'x') => ({ name, value });

describe('report fields', () => {
  it('are sorted by importance', () => {
    const names = inOrder('feed', [
      field('brand_new'),
      field('image.url'),
      field('categories[1].term'),
      field('title'),
    ]);
    expect(names.map(({ name }) => name)).toEqual(['title', 'categories[1].term', 'image.url', 'brand_new']);
  });

  it('name their source in each format', () => {
    expect(origin('feed', 'description', 'rss-2.0')).toBe('channel/description');
    expect(origin('feed', 'description', 'atom-1.0')).toBe('feed/subtitle, tagline');
    expect(origin('item', 'categories[0].term', 'json-feed-1.1')).toBe('tags');
    expect(origin('item', 'word_count', 'rss-2.0')).toBe('');
    expect(origin('feed', 'brand_new', 'rss-2.0')).toBe('');
  });

  it('match by name, value and source', () => {
    expect(matchesField('feed', field('ttl_minutes', '60'), 'rss-2.0', 'ttl')).toBe(true);
    expect(matchesField('feed', field('web_master', 'Ann'), 'rss-2.0', 'ann')).toBe(true);
    expect(matchesField('feed', field('updated', null), 'rss-2.0', 'lastbuild')).toBe(true);
    expect(matchesField('feed', field('updated', null), 'rss-2.0', 'ann')).toBe(false);
    expect([hasValue(field('a', null)), hasValue(field('a', '')), hasValue(field('a', '0'))]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('have a display name for their format', () => {
    expect(['rss-2.0', 'rss', 'atom-1.0', 'json-feed-1.1', 'cdf'].map(formatName)).toEqual([
      'RSS 2.0',
      'RSS',
      'Atom 1.0',
      'JSON Feed 1.1',
      'CDF',
    ]);
  });
});
