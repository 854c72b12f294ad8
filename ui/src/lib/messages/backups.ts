/** Messages about backups of the library. */
import type { Backup, RestoredLibrary } from '../ipc';
import { fileSize, mediumDate } from './format';
import { inLine, t } from './index';

const OCCASIONS = {
  daily: 'backups.automatic',
  upgrade: 'backups.upgrade',
  by_hand: 'backups.manual',
} as const;

/** Returns size and origin: "38.4 MB · automatic". */
export function backupText(backup: Backup): string {
  return inLine([fileSize(backup.bytes), t(OCCASIONS[backup.occasion])]);
}

/** Returns the contents of a restored or recovered library: "12 feeds · 3,400 articles". */
export function recoveredText(renewed: RestoredLibrary): string {
  return inLine([t('restore.feeds', { count: renewed.feeds }), t('restore.articles', { count: renewed.articles })]);
}

/** Returns whether data is missing and which backup filled the gaps. */
export function missingDataText(how: 'restored' | 'recovered', { lost, backup }: RestoredLibrary): string {
  if (how === 'restored') return backup ? t('restore.state_of', { date: mediumDate(backup.at) }) : '';
  if (lost.length === 0) return t('restore.complete');
  return backup ? t('restore.filled', { date: mediumDate(backup.at) }) : t('restore.no_backup');
}
