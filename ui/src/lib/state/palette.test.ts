import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ArticleRow, Feed } from '../ipc';
import { t, type PlainKey } from '../messages';
import { settingsSectionText } from '../messages/settings-sections';
import { ranked } from '../rank';
import { attention } from './attention.svelte';
import { SETTINGS_PARTS, type SettingsPart } from './dialogs.svelte';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { entries } from './palette';
import { player, type MediaItem } from './player.svelte';

const first = (typed: string, limit = 3) => ranked(entries(), typed, limit).map(({ label }) => label);

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
  ['older', 'Mark articles older than a week as read'],
  ['load images', 'Reading'],
])('the palette finds %s', (typed, label) => expect(first(typed)).toContain(label));

it('the palette offers the commands of the shown list once', () => {
  const labels = entries().map(({ label }) => label);
  expect(labels.filter((label) => label === 'Expand all folders')).toHaveLength(1);
});

it('the palette sorts and groups the shown list', () => {
  expect(first('sort')).toContain('Sort: Newest first');
  expect(first('sort longest', 1)).toEqual(['Sort: Longest first']);
  expect(first('oldest', 1)).toEqual(['Sort: Oldest first']);
  expect(first('group by', 2)).toEqual(['Group by day', 'Group by feed']);
  const own = list.source;
  list.source = { kind: 'downloads' };
  expect(first('sort longest', 1)).toEqual([]);
  list.source = own;
});

it('the palette has one entry for feeds that need attention', () => {
  const error = { needs_attention: true };
  const failing = { id: 1, title: 'F', url: 'https://a.example/', folder_id: null, error } as Feed;
  library.feeds = [failing];
  expect(attention.feeds).toHaveLength(1);
  expect(ranked(entries(), 'attention', 9).map(({ label }) => label)).toEqual(['Needs attention']);
  library.feeds = [];
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
  expect(ranked(entries(), 'episode', 9).map(({ label }) => label)).toEqual([
    'Download episode',
    'Play next',
    'Offline reading',
  ]);
  const play = (finished: boolean) =>
    (list.rows = [{ ...row(1, 'audio'), played: { seconds: 60, duration: 600, finished } }]);
  play(false);
  expect(offered()).toContain('Mark as played, T1');
  play(true);
  expect(offered()).toEqual(['Play next, T1', 'Download episode, T1']);
  list.rows = [row(1, 'audio'), row(2, null)];
  list.selected = 2;
  expect(offered()).toEqual([]);
  list.selected = null;
  list.rows = [];
});

it('the palette sets the sleep timer of what is in the player', () => {
  expect(entries().filter(({ key }) => key.startsWith('sleep-'))).toEqual([]);
  player.now = { id: 1, title: 'T1' } as MediaItem;
  expect(ranked(entries(), 'sleep', 9).map(({ label }) => label)).toContain('Sleep timer: At the end of the episode');
  const found = ranked(entries(), 'sleep 30', 1)[0];
  expect([found?.label, found?.hint]).toEqual(['Sleep timer: In 30 minutes', 'T1']);
  found?.run();
  expect(player.sleep).toMatchObject({ kind: 'at', minutes: 30 });
  player.sleep = player.now = null;
});

/** Settings of packages that update themselves, and of quiet hours that are on. */
const NOT_ALWAYS_SHOWN: ReadonlySet<string> = new Set(['update.daily', 'quiet_hours.from', 'quiet_hours.to']);

it('the palette finds every setting by its label', () => {
  const read = (name: string) => readFileSync(new URL(`../../components/settings/${name}`, import.meta.url), 'utf8');
  const parts = read('SettingsDialog.svelte').split('<section aria-labelledby="settings-').slice(1);
  expect(parts).toHaveLength(SETTINGS_PARTS.length);
  for (const part of parts) {
    const name = part.slice(0, part.indexOf('"')) as SettingsPart;
    const files = [...part.matchAll(/<(\w+Section|QuietHours|RetentionForm) /g)].map(([, file]) => String(file));
    const whole = [part, ...files.map((file) => read(`${file}.svelte`))].join('');
    const labels = whole.matchAll(/(?:<(?:Switch|Select)|(?:key|preference): '\w+',)\s+label[=:]\s*\{?t\('([\w.]+)'/g);
    for (const [, key] of labels) {
      if (!NOT_ALWAYS_SHOWN.has(String(key)))
        expect(first(t(key as PlainKey), 9), key).toContain(settingsSectionText(name));
    }
  }
});
