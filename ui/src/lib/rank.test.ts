import { describe, expect, it } from 'vitest';
import { fold, ranked } from './rank';

const names = ['Mark all as read', 'Read or unread', 'Refresh all feeds', 'Müllers Blog', 'Feed of Marks', 'ريادة'];
const entries = names.map((label) => ({ label, folded: fold(label) }));
const found = (typed: string, most = 9) => ranked(entries, typed, most).map((entry) => entry.label);

describe('what a few letters find', () => {
  it('is all of it for none, up to a number', () => {
    expect(found('', 2)).toEqual(['Mark all as read', 'Read or unread']);
  });

  it('is first what begins so, then what has a word that does', () => {
    expect(found('mark')).toEqual(['Mark all as read', 'Feed of Marks']);
    expect(found('read').slice(0, 2)).toEqual(['Read or unread', 'Mark all as read']);
  });

  it('needs every word, in any order', () => {
    expect(found('all mark')).toEqual(['Mark all as read']);
    expect(found('all zebra')).toEqual([]);
  });

  it('asks for no accents and no case', () => {
    expect(found('MULLER')).toEqual(['Müllers Blog']);
    expect(found('ري')).toEqual(['ريادة']);
  });

  it('may leave letters out', () => {
    expect(found('rfsh')).toEqual(['Refresh all feeds']);
  });
});
