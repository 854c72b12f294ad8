import { describe, expect, it } from 'vitest';
import type { Preferences, ScopedPreferences } from '../ipc';
import { choiceOf, choices, effectiveChoice, preferenceOf, type Preference } from './preferences';

const nothing: Preferences = {
  refresh_minutes: null,
  offline: null,
  full_text_when: null,
  full_text_first: null,
  load_images: null,
  notify: null,
};
const origins = { ...nothing, load_images: null } as Record<Preference, null>;
const said: ScopedPreferences = {
  own: nothing,
  inherited: {
    refresh_minutes: 180,
    offline: { text: true, images: true },
    full_text_when: 'always',
    full_text_first: false,
    load_images: true,
    notify: false,
  },
  inherited_from: { ...origins, refresh_minutes: 'News' } as unknown as ScopedPreferences['inherited_from'],
};
const first = (preference: Preference) => choices(said, preference, true)[0]?.label;

describe('feed preferences', () => {
  it('show where an inherited value comes from', () => {
    expect(first('refresh_minutes')).toBe('From folder News: Every 3 hours');
    expect(first('offline')).toBe('Default: Full text and images');
    expect(first('load_images')).toBe('Default: Shown');
    expect(first('notify')).toBe('Default: No');
  });

  it('default to the automatic interval', () => {
    const unset = { ...said, inherited: { ...said.inherited, refresh_minutes: null } };
    expect(choices(unset, 'refresh_minutes', true)[0]?.label).toBe('From folder News: Automatic');
  });

  it('convert to the value of a choice and back', () => {
    const all: Partial<Preferences>[] = [
      { refresh_minutes: -1 },
      { refresh_minutes: 0 },
      { refresh_minutes: 45 },
      { offline: { text: false, images: true } },
      { full_text_when: 'short' },
      { full_text_first: false },
      { load_images: true },
      { notify: null },
    ];
    for (const one of all) {
      const [preference] = Object.keys(one) as [Preference];
      const own = { ...nothing, ...one };
      const name = choiceOf(own, preference);
      expect(choices({ ...said, own }, preference, true).map(({ value }) => value)).toContain(name);
      expect(preferenceOf(preference, name)).toEqual(own[preference]);
    }
  });

  it('apply from the feed, else from what it inherits', () => {
    expect(effectiveChoice(said, 'full_text_when')).toBe('always');
    expect(effectiveChoice({ ...said, own: { ...nothing, full_text_when: 'never' } }, 'full_text_when')).toBe('never');
    const unset = { ...said, inherited: { ...said.inherited, refresh_minutes: null } };
    expect(effectiveChoice(unset, 'refresh_minutes')).toBe('automatic');
  });

  it('have no inherited option for all feeds', () => {
    expect(choices(said, 'notify', false).map(({ value }) => value)).toEqual(['yes', 'no']);
  });
});
