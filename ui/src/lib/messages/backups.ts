/** Sentences about copies of the library. */
import type { Backup, Renewed } from '../ipc';
import { fileSize, listed, mediumDate } from './format';
import { t } from './index';

const OCCASIONS = {
  daily: 'backups.daily',
  upgrade: 'backups.upgrade',
  by_hand: 'backups.by_hand',
} as const;

/** "38.4 MB, made by itself". */
export function backupText(backup: Backup): string {
  return `${fileSize(backup.bytes)}, ${t(OCCASIONS[backup.occasion])}`;
}

/** "12 feeds and 3,400 articles". */
export function cameThrough(renewed: Renewed): string {
  return listed([t('renewed.feeds', { count: renewed.feeds }), t('renewed.articles', { count: renewed.articles })]);
}

/** Whether something is missing, and where it came from. */
export function gapsText(how: 'restored' | 'recovered', { lost, from }: Renewed): string {
  if (how === 'restored') return from ? t('renewed.as_of', { date: mediumDate(from.at) }) : '';
  if (lost.length === 0) return t('renewed.whole');
  return from ? t('renewed.filled', { date: mediumDate(from.at) }) : t('renewed.gaps');
}
