import { describe, expect, it } from 'vitest';
import type { Preferences, PreferencesSaid } from '../ipc';
import { choices, chosen, meant, type Preference } from './preferences';

const nothing: Preferences = {
  refresh_minutes: null,
  ahead: null,
  full_text_when: null,
  full_text_first: null,
  load_images: null,
  notify: null,
};
const nobody = { ...nothing, load_images: null } as Record<Preference, null>;
const said: PreferencesSaid = {
  own: nothing,
  inherited: {
    refresh_minutes: 180,
    ahead: { text: true, pictures: true },
    full_text_when: 'always',
    full_text_first: false,
    load_images: true,
    notify: false,
  },
  from: { ...nobody, refresh_minutes: 'News' } as unknown as PreferencesSaid['from'],
};
const first = (preference: Preference) => choices(said, preference, true)[0]?.label;

describe('what is wished of a feed', () => {
  it('says where it comes from', () => {
    expect(first('refresh_minutes')).toBe('As for News: Every 3 hours');
    expect(first('ahead')).toBe('As for all feeds: Full text and pictures');
    expect(first('load_images')).toBe('As for all feeds: Shown');
    expect(first('notify')).toBe('As for all feeds: No');
  });

  it('is as Gleaner thinks best where nobody says how often', () => {
    const best = { ...said, inherited: { ...said.inherited, refresh_minutes: null } };
    expect(choices(best, 'refresh_minutes', true)[0]?.label).toBe('As for News: As Gleaner thinks best');
  });

  it('is taken out of a choice as it went in', () => {
    const wishes: Partial<Preferences>[] = [
      { refresh_minutes: -1 },
      { refresh_minutes: 0 },
      { refresh_minutes: 45 },
      { ahead: { text: false, pictures: true } },
      { full_text_when: 'short' },
      { full_text_first: false },
      { load_images: true },
      { notify: null },
    ];
    for (const wish of wishes) {
      const [preference] = Object.keys(wish) as [Preference];
      const own = { ...nothing, ...wish };
      const name = chosen(own, preference);
      expect(choices({ ...said, own }, preference, true).map(({ value }) => value)).toContain(name);
      expect(meant(preference, name)).toEqual(own[preference]);
    }
  });

  it('has nothing further out where it is of all feeds', () => {
    expect(choices(said, 'notify', false).map(({ value }) => value)).toEqual(['yes', 'no']);
  });
});
