import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Backup, RestoredLibrary } from '../ipc';
import { backupText, recoveredText, missingDataText } from './backups';
import en from './en.json';
import { setCatalogue } from './index';

beforeEach(() => setCatalogue(en, 'en', 'en-GB'));
afterEach(() => setCatalogue(en, 'en'));

const backup: Backup = {
  name: '20261119T081500000-daily.sqlite',
  at: new Date(2026, 10, 19, 8, 15).getTime(),
  bytes: 38_400_000,
  occasion: 'daily',
};
const renewed: RestoredLibrary = { feeds: 1, articles: 3400, lost: [], backup: null, previous_folder: '/aside/1' };

describe('a backup', () => {
  it('shows its size and origin', () => {
    expect(backupText(backup)).toBe('38.4 MB · automatic');
    expect(backupText({ ...backup, occasion: 'upgrade' })).toContain('before an upgrade');
    expect(backupText({ ...backup, occasion: 'by_hand' })).toContain('manual');
  });
});

describe('a restored or recovered library', () => {
  it('shows what is in it', () => expect(recoveredText(renewed)).toBe('1 feed · 3,400 articles'));

  it('shows whether data is missing', () => {
    expect(missingDataText('recovered', renewed)).toBe('All data could be read.');
    const lost = [{ part: 'items', count: 3 }];
    expect(missingDataText('recovered', { ...renewed, lost })).toContain('no backup');
    expect(missingDataText('recovered', { ...renewed, lost, backup: backup })).toContain('19 Nov 2026, 08:15');
    expect(missingDataText('restored', { ...renewed, backup: backup })).toBe(
      'The library is back to its state of 19 Nov 2026, 08:15.',
    );
  });
});
