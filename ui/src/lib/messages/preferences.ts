/** The choices for the preferences of a feed or folder. */
import type { FullTextWhen, Preferences, PreferenceSources, ScopedPreferences } from '../ipc';
import { FULL_TEXT_WHEN, fullTextWhenText, downloadName, downloadOf, downloadText, type DownloadName } from './offline';
import { intervalOf, intervals, minutesOf } from './intervals';
import { t } from './index';

export type Preference = keyof Preferences;
type Option = { value: string; label: string };

/** The value of the choice that inherits from the folder or the defaults. */
const INHERIT = 'inherit';

/** Returns an inherited value with its origin: "From folder News: Every hour", "Default: Yes". */
export const inheritedFromText = (folder: string | null, what: string): string =>
  folder === null ? t('retention.how.inherit.all', { what }) : t('retention.how.inherit.folder', { folder, what });

const yes = (on: boolean): string => t(on ? 'prefs.yes' : 'prefs.no');
const shown = (on: boolean): string => t(on ? 'prefs.images.show' : 'prefs.images.hide');

/** Converts a preference to and from the value of a choice, and lists its options. */
type Conversion<T> = {
  name: (value: T) => string;
  value: (name: string) => T;
  options: (current: T | null) => Option[];
};

const flag = (text: (on: boolean) => string): Conversion<boolean> => ({
  name: (on) => (on ? 'yes' : 'no'),
  value: (name) => name === 'yes',
  options: () => [
    { value: 'yes', label: text(true) },
    { value: 'no', label: text(false) },
  ],
});

const CONVERSIONS: { [P in Preference]: Conversion<NonNullable<Preferences[P]>> } = {
  refresh_minutes: { name: intervalOf, value: minutesOf, options: intervals },
  offline: {
    name: downloadName,
    value: (name) => downloadOf(name as DownloadName),
    options: () =>
      (['none', 'text', 'images', 'both'] as const).map((value) => ({ value, label: downloadText(value) })),
  },
  full_text_when: {
    name: (when) => when,
    value: (name) => name as FullTextWhen,
    options: () => FULL_TEXT_WHEN.map((value) => ({ value, label: fullTextWhenText(value) })),
  },
  full_text_first: flag(yes),
  load_images: flag(shown),
  notify: flag(yes),
};

const conversionOf = (preference: Preference) => CONVERSIONS[preference] as Conversion<unknown>;

/** Returns the value of the choice for a preference. */
export function choiceOf(preferences: Preferences, preference: Preference): string {
  const own = preferences[preference];
  return own === null ? INHERIT : conversionOf(preference).name(own);
}

/** Returns the value of the inherited choice. */
function inheritedChoice({ inherited }: ScopedPreferences, preference: Preference): string {
  // An unset interval is automatic (-1).
  const value = inherited[preference] ?? (preference === 'refresh_minutes' ? -1 : false);
  return conversionOf(preference).name(value);
}

/** Returns the value of the choice that applies, own or inherited. */
export function effectiveChoice(preferences: ScopedPreferences, preference: Preference): string {
  const own = choiceOf(preferences.own, preference);
  return own === INHERIT ? inheritedChoice(preferences, preference) : own;
}

/** Returns the preference for the value of a choice; null means inherited. */
export function preferenceOf<P extends Preference>(preference: P, name: string): Preferences[P] {
  return name === INHERIT ? null : (conversionOf(preference).value(name) as Preferences[P]);
}

/** Returns the options of a preference. The defaults for all feeds inherit from nothing (`inherits` is false). */
export function choices(preferences: ScopedPreferences, preference: Preference, inherits: boolean): Option[] {
  const { own, inherited, inherited_from } = preferences;
  const { options } = conversionOf(preference);
  const all = options(own[preference]);
  if (!inherits) return all;
  const value = inheritedChoice(preferences, preference);
  const what = options(inherited[preference]).find((option) => option.value === value)?.label ?? value;
  return [
    { value: INHERIT, label: inheritedFromText(inherited_from[preference as keyof PreferenceSources], what) },
    ...all,
  ];
}

/** The preferences of all feeds if nothing is set. */
export const DEFAULTS: Preferences = {
  refresh_minutes: -1,
  offline: null,
  full_text_when: null,
  full_text_first: false,
  load_images: null,
  notify: false,
};
