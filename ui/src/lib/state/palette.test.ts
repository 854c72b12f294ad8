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
  ['classic', 'Arrangement: Classic'],
  ['statistics', 'Reading statistics'],
  ['preferences', 'Settings'],
  ['subscribe', 'Add feed'],
])('the palette finds %s', (typed, label) => expect(first(typed)).toContain(label));
