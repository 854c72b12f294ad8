/** What can be wished of feeds, in words, and where what holds is said. */
import type { AheadWish, FullTextWhen, Preferences, PreferencesFrom, PreferencesSaid } from '../ipc';
import { FULL_TEXT_WHEN, whenText, wishName, wishOf, wishText, type WishName } from './ahead';
import { intervalOf, intervals, minutesOf } from './intervals';
import { t } from './index';

export type Preference = keyof Preferences;
type Option = { value: string; label: string };

/** As a choice names what is said further out. */
const FURTHER = 'further';

/** "As for News: every hour", "As for all feeds: yes". */
export const furtherText = (folder: string | null, what: string): string =>
  folder === null ? t('keep.how.inherit.all', { what }) : t('keep.how.inherit.folder', { folder, what });

const yes = (on: boolean): string => t(on ? 'prefs.yes' : 'prefs.no');
const shown = (on: boolean): string => t(on ? 'prefs.images.show' : 'prefs.images.hide');

/** How each is named in a choice, what it means, and what there is to choose from. */
type Way<T> = { name: (value: T) => string; value: (name: string) => T; options: (now: T | null) => Option[] };

const flag = (text: (on: boolean) => string): Way<boolean> => ({
  name: (on) => (on ? 'yes' : 'no'),
  value: (name) => name === 'yes',
  options: () => [
    { value: 'yes', label: text(true) },
    { value: 'no', label: text(false) },
  ],
});

const WAYS: { [P in Preference]: Way<NonNullable<Preferences[P]>> } = {
  refresh_minutes: { name: intervalOf, value: minutesOf, options: intervals },
  ahead: {
    name: (wish: AheadWish) => wishName(wish),
    value: (name) => wishOf(name as WishName),
    options: () => (['none', 'text', 'pictures', 'both'] as const).map((value) => ({ value, label: wishText(value) })),
  },
  full_text_when: {
    name: (when) => when,
    value: (name) => name as FullTextWhen,
    options: () => FULL_TEXT_WHEN.map((value) => ({ value, label: whenText(value) })),
  },
  full_text_first: flag(yes),
  load_images: flag(shown),
  notify: flag(yes),
};

const way = (preference: Preference) => WAYS[preference] as Way<unknown>;

/** What a choice has chosen. */
export function chosen(said: Preferences, preference: Preference): string {
  const own = said[preference];
  return own === null ? FURTHER : way(preference).name(own);
}

/** What is said once this is chosen; `null`: nothing. */
export function meant<P extends Preference>(preference: P, name: string): Preferences[P] {
  return name === FURTHER ? null : (way(preference).value(name) as Preferences[P]);
}

/** What there is to choose from; of all feeds (`further` is false) there is nothing further out. */
export function choices({ own, inherited, from }: PreferencesSaid, preference: Preference, further: boolean): Option[] {
  const { name, options } = way(preference);
  const all = options(own[preference]);
  if (!further) return all;
  // Where nobody says how often, it is as Gleaner thinks best.
  const held = name(inherited[preference] ?? (preference === 'refresh_minutes' ? -1 : false));
  const what = options(inherited[preference]).find(({ value }) => value === held)?.label ?? held;
  return [{ value: FURTHER, label: furtherText(from[preference as keyof PreferencesFrom], what) }, ...all];
}

/** Of all feeds, what nobody says is as if it were said so. */
export const OF_ALL: Preferences = {
  refresh_minutes: -1,
  ahead: null,
  full_text_when: null,
  full_text_first: false,
  load_images: null,
  notify: false,
};
