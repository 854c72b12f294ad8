import { describe, expect, it } from 'vitest';
import { endedTags, keyOf, listedTags, offered } from './tags';

const tag = (id: number, name: string) => ({ id, name, items: id, unread: 0 });
const TAGS = [tag(1, 'Late rust'), tag(2, 'Rust'), tag(3, 'To read')];
const names = (typed: string) => offered(typed, TAGS).map(({ name, fresh }) => (fresh ? `+${name}` : name));

describe('tag completions', () => {
  it('list all tags if nothing is typed', () => expect(names('  ')).toEqual(['Late rust', 'Rust', 'To read']));
  it('list tags starting with the text, containing it, or a new one', () => {
    expect(names('ru')).toEqual(['Rust', 'Late rust', '+ru']);
    expect(names(' RUST ')).toEqual(['Rust', 'Late rust']);
    expect(names('  new  one ')).toEqual(['+new one']);
  });
  it('ignore case and white space', () => expect(keyOf('  To \t READ ')).toBe('to read'));
});

it('reads a list of tags, and keeps those whose own name contains a comma', () => {
  expect(listedTags(' Grain, ,Barley ', [])).toEqual(['Grain', 'Barley']);
  const before = ['Grain', 'Bread, fresh'];
  expect(listedTags(before.join(', '), before)).toEqual(before);
  expect(listedTags('Bread, fresh, Rye', before)).toEqual(['Bread, fresh', 'Rye']);
  expect(listedTags('Bread, stale', before)).toEqual(['Bread', 'stale']);
  expect(listedTags('Bread, Bread, fresh', ['Bread', 'Bread, fresh'])).toEqual(['Bread', 'Bread, fresh']);
  expect(listedTags('', before)).toEqual([]);
});

it('ends a tag at a comma, unless that is part of a name', () => {
  const tags = [tag(1, 'Boats'), tag(2, 'Bread, fresh')];
  expect(endedTags('boats', tags)).toEqual({ ended: [], rest: 'boats' });
  expect(endedTags('boats,', tags)).toEqual({ ended: ['boats'], rest: '' });
  expect(endedTags('new  one, ,two,\u00a0th', tags)).toEqual({ ended: ['new one', 'two'], rest: 'th' });
  expect(endedTags('قوارب،', tags)).toEqual({ ended: ['قوارب'], rest: '' });
  expect(endedTags(' bread, f', tags)).toEqual({ ended: [], rest: ' bread, f' });
  expect(endedTags('bread, stale', tags)).toEqual({ ended: ['bread'], rest: 'stale' });
  expect(endedTags('Boats, Bread, fresh, fish,', tags)).toEqual({ ended: ['Boats', 'Bread, fresh', 'fish'], rest: '' });
});
