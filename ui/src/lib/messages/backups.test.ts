import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Backup, Renewed } from '../ipc';
import { backupText, cameThrough, gapsText } from './backups';
import { en } from './en';
import { setCatalogue } from './index';

beforeEach(() => setCatalogue(en, 'en', 'en-GB'));
afterEach(() => setCatalogue(en, 'en'));

const backup: Backup = {
  name: '20261119T081500000-daily.sqlite',
  at: new Date(2026, 10, 19, 8, 15).getTime(),
  bytes: 38_400_000,
  occasion: 'daily',
};
const renewed: Renewed = { feeds: 1, articles: 3400, lost: [], from: null, aside: '/aside/1' };

describe('a backup', () => {
  it('says how large it is and why it was made', () => {
    expect(backupText(backup)).toBe('38.4 MB, made by itself');
    expect(backupText({ ...backup, occasion: 'upgrade' })).toContain('before an update');
    expect(backupText({ ...backup, occasion: 'by_hand' })).toContain('by you');
  });
});

describe('a library that took the place of another', () => {
  it('says what is in it', () => expect(cameThrough(renewed)).toBe('1 feed and 3,400 articles'));

  it('says whether something is missing', () => {
    expect(gapsText('recovered', renewed)).toBe('All of it could be read.');
    const lost = [{ what: 'items', pieces: 3 }];
    expect(gapsText('recovered', { ...renewed, lost })).toContain('no backup');
    expect(gapsText('recovered', { ...renewed, lost, from: backup })).toContain('19 Nov 2026, 08:15');
    expect(gapsText('restored', { ...renewed, from: backup })).toBe('The library is as it was on 19 Nov 2026, 08:15.');
  });
});
