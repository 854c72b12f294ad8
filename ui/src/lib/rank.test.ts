import { describe, expect, it } from 'vitest';
import { fold } from './fold';
import { ranked } from './rank';

const names = ['Mark all as read', 'Read or unread', 'Refresh all feeds', 'Müllers Blog', 'Feed of Marks', 'ريادة'];
const entries = names.map((label) => ({ label, folded: fold(label) }));
const found = (typed: string, limit = 9) => ranked(entries, typed, limit).map((entry) => entry.label);

describe('ranking', () => {
  it('returns everything for an empty text, up to a limit', () => {
    expect(found('', 2)).toEqual(['Mark all as read', 'Read or unread']);
  });

  it('prefers a match at the start, then at the start of a word', () => {
    expect(found('mark')).toEqual(['Mark all as read', 'Feed of Marks']);
    expect(found('read').slice(0, 2)).toEqual(['Read or unread', 'Mark all as read']);
  });

  it('needs every word, in any order', () => {
    expect(found('all mark')).toEqual(['Mark all as read']);
    expect(found('all zebra')).toEqual([]);
  });

  it('ignores accents and case', () => {
    expect(found('MULLER')).toEqual(['Müllers Blog']);
    expect(found('ري')).toEqual(['ريادة']);
  });

  it('finds typographic marks by those of the keyboard', () => {
    const labels = ['What’s new', 'Save to…', '“Quiet” hours', '2020–2024', '7″ tablets'].map((label) => ({
      label,
      folded: fold(label),
    }));
    const first = (typed: string) => ranked(labels, typed, 9).map(({ label }) => label);
    expect(first("what's new")).toEqual(['What’s new']);
    expect(first('what‘s')).toEqual(['What’s new']);
    expect(first('save to...')).toEqual(['Save to…']);
    expect(first('"quiet"')).toEqual(['“Quiet” hours']);
    expect(first('2020-2024')).toEqual(['2020–2024']);
    expect(first('7"')).toEqual(['7″ tablets']);
  });

  it('allows missing letters', () => {
    expect(found('rfsh')).toEqual(['Refresh all feeds']);
  });

  it('prefers letters that are close together', () => {
    const close = ['Background', 'Bread'].map((label) => ({ label, folded: fold(label) }));
    expect(ranked(close, 'brd', 9).map(({ label }) => label)).toEqual(['Bread']);
    const both = ['Bridged', 'Bread'].map((label) => ({ label, folded: fold(label) }));
    expect(ranked(both, 'brd', 9).map(({ label }) => label)).toEqual(['Bridged', 'Bread']);
  });

  it('leaves out letters that are far apart, but in word beginnings', () => {
    const labels = ['Show feeds without errors', 'Sort by feed', 'Solar farming news', 'Mark all as read'];
    const those = labels.map((label) => ({ label, folded: fold(label) }));
    const first = (typed: string) => ranked(those, typed, 9).map(({ label }) => label);
    expect(first('sfn')).toEqual(['Solar farming news']);
    expect(first('sofan')).toEqual(['Solar farming news']);
    expect(first('maar')).toEqual(['Mark all as read']);
    expect(first('swer')).toEqual(['Show feeds without errors']);
    expect(first('sort')).toEqual(['Sort by feed']);
    expect(first('mread')).toEqual(['Mark all as read']);
    expect(first('mad')).toEqual([]);
  });

  it('prefers the whole label, then its beginning, then a word, then a part of one', () => {
    const labels = ['The bread board', 'Breadcrumbs', 'Gingerbread', 'Bread', 'B. reading'];
    const those = labels.map((label) => ({ label, folded: fold(label) }));
    expect(ranked(those, 'bread', 9).map(({ label }) => label)).toEqual([
      'Bread',
      'Breadcrumbs',
      'The bread board',
      'Gingerbread',
      'B. reading',
    ]);
    const whole = ['Needs attention now', 'Needs attention'].map((label) => ({ label, folded: fold(label) }));
    expect(ranked(whole, 'needs attention', 9).map(({ label }) => label)).toEqual([
      'Needs attention',
      'Needs attention now',
    ]);
  });

  it('finds one or two letters inside a label, but not inside its other words', () => {
    const labels = [
      ['Sharing', 'save send'],
      ['Gravity', ''],
      ['共有', '保存送信'],
    ] as const;
    const those = labels.map(([label, also]) => ({ label, also, folded: fold(label) }));
    const first = (typed: string) => ranked(those, typed, 9).map(({ label }) => label);
    expect(first('av')).toEqual(['Gravity']);
    expect(first('ave')).toEqual(['Sharing']);
    expect(first('送信')).toEqual(['共有']);
  });

  it('prefers a label to its other words, and leaves out scattered letters', () => {
    const labels = [
      ['Feed in der Seitenleiste suchen', ''],
      ['Sprache: Français', 'french'],
      ['Einen french press kaufen', ''],
    ] as const;
    const those = labels.map(([label, also]) => ({ label, also, folded: fold(label) }));
    expect(ranked(those, 'french', 9).map(({ label }) => label)).toEqual([
      'Einen french press kaufen',
      'Sprache: Français',
    ]);
  });
});
