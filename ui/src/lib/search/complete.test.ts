import { afterEach, describe, expect, it } from 'vitest';
import { setCatalogue, setLanguage } from '../messages';
import en from '../messages/en.json';
import { complete, quoted, taken, type Names } from './complete';

afterEach(() => setCatalogue(en, 'en'));

const NAMES: Names = {
  feeds: [
    { title: 'Ars Technica', where: 'News' },
    { title: 'Slow "Food"', where: 'Feed' },
  ],
  folders: [{ name: 'Tech', path: 'News / Tech' }],
  tags: [{ name: 'weekend', articles: 3 }],
  categories: [{ name: 'news/regional', articles: 1 }],
};

/** The bar marks the caret. */
const at = (marked: string, all = false) => {
  const caret = marked.indexOf('|');
  return complete(marked.replace('|', ''), caret, NAMES, all);
};
const texts = (marked: string, all = false) => at(marked, all).offers.map(({ text }) => text);

/** Returns the text of the field after accepting a completion. */
function take(marked: string, text: string): string {
  const completion = at(marked);
  const offer = completion.offers.find((one) => one.text === text);
  if (!offer) throw new Error(`${text} is not offered for ${marked}`);
  const after = taken(marked.replace('|', ''), completion, offer);
  return `${after.text.slice(0, after.caret)}|${after.text.slice(after.caret)}`;
}

describe('completions', () => {
  it('are fields and values that start with the typed text', () => {
    expect(texts('ti|')).toEqual(['title:']);
    expect(texts('coffee -(fe|')).toEqual(['feed:']);
    expect(texts('re|')).toEqual(['is:read']);
    expect(texts('coffee|')).toEqual([]);
    expect(texts('t|')).toEqual([]);
    expect(texts('|')).toEqual([]);
  });

  it('include every field on request', () => {
    expect(texts('|', true)).toHaveLength(16);
    expect(texts('mill |', true)).toContain('during:');
  });

  it('are the values of a field', () => {
    expect(texts('is:|')).toEqual([
      'unread',
      'read',
      'starred',
      'updated',
      'hidden',
      'kept',
      'tagged',
      'highlighted',
      'noted',
    ]);
    expect(texts('has:vi|')).toEqual(['video']);
    expect(texts('is:unred|')).toEqual([]);
    expect(texts('feed:|')).toEqual(['"Ars Technica"', '"Slow \\"Food\\""']);
    expect(texts('feed:tech|')).toEqual(['"Ars Technica"']);
    expect(texts('feed:"ars te|')).toEqual(['"Ars Technica"']);
    expect(texts('folder:|')).toEqual(['Tech']);
    expect(texts('tag:we|')).toEqual(['weekend']);
    expect(texts('category:reg|')).toEqual(['"news/regional"']);
    expect(texts('after:|')).toContain('"last week"');
    expect(texts('words:|')).toEqual(['>1500', '<500', '500..1500']);
    expect(texts('title:x|')).toEqual([]);
  });

  it('find languages by name', () => {
    expect(texts('lang:jap|')).toEqual(['ja']);
    expect(texts('lang:|')[0]).toBe('en');
  });

  it('exclude text that is complete', () => {
    expect(texts('is:starred|')).toEqual([]);
    expect(texts('feed:"Ars Technica"|')).toEqual([]);
  });

  it('have hints in the interface language', async () => {
    await setLanguage('de');
    expect(at('is:unre|').offers[0]?.hint).toBe('Ungelesen');
    expect(texts('gele|')).toEqual(['is:read']);
  });
});

describe('accepting a completion', () => {
  it('replaces the word at the caret only', () => {
    expect(take('coffee ti|', 'title:')).toBe('coffee title:|');
    expect(take('coffee is:un|', 'unread')).toBe('coffee is:unread |');
    expect(take('is:un| coffee', 'unread')).toBe('is:unread |coffee');
    expect(take('-is:st|', 'starred')).toBe('-is:starred |');
    expect(take('(is:st|)', 'starred')).toBe('(is:starred |)');
    expect(take('feed:ars| is:unread', '"Ars Technica"')).toBe('feed:"Ars Technica" |is:unread');
  });

  it('quotes values of several words', () => {
    expect(['rye', 'a b', 'say "hi"', 'C++'].map(quoted)).toEqual(['rye', '"a b"', '"say \\"hi\\""', '"C++"']);
  });
});
