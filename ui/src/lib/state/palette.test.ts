import { expect, it } from 'vitest';
import type { ArticleRow } from '../ipc';
import { ranked } from '../rank';
import { list } from './list.svelte';
import { entries } from './palette';

const first = (typed: string) => ranked(entries(), typed, 3).map(({ label }) => label);

it.each([
  ['dark', 'Theme: Dark'],
  ['night', 'Theme: System'],
  ['font', 'Font: Source Serif'],
  ['layout', 'Layout: Cards'],
  ['magazine', 'Layout: Magazine'],
  ['columns', 'Layout: Columns'],
  ['classic', 'Panes: Classic'],
  ['statistics', 'Reading statistics'],
  ['preferences', 'Settings'],
  ['subscribe', 'Add feed'],
  ['german', 'Language: Deutsch'],
  ['日本', 'Language: 日本語'],
  ['mute', 'Rules'],
  ['failed', 'Needs attention'],
  ['older', 'Mark older than a week as read'],
])('the palette finds %s', (typed, label) => expect(first(typed)).toContain(label));

it('the palette offers the commands of the shown list once', () => {
  const labels = entries().map(({ label }) => label);
  expect(labels.filter((label) => label === 'Expand all folders')).toHaveLength(1);
});

it('the palette offers what can be done with the selected episode', () => {
  const row = (id: number, media: string | null) => ({ id, title: `T${String(id)}`, media }) as ArticleRow;
  list.rows = [row(1, 'audio'), row(2, null)];
  const offered = () =>
    entries().flatMap(({ key, label, hint }) => (key.startsWith('episode-') ? [`${label}, ${hint}`] : []));
  expect(offered()).toEqual([]);
  list.selected = 1;
  expect(offered()).toEqual(['Play next, T1', 'Download episode, T1']);
  expect(first('queue')).toContain('Play next');
  expect(ranked(entries(), 'episode', 9).map(({ label }) => label)).toEqual(['Download episode', 'Play next']);
  list.selected = 2;
  expect(offered()).toEqual([]);
  list.selected = null;
  list.rows = [];
});
