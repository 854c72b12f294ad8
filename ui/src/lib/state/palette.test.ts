import { expect, it } from 'vitest';
import { ranked } from '../rank';
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
