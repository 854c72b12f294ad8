/** Messages about a running synchronisation. */
import type { SyncProgress } from '../ipc';
import { t } from './index';

/** Returns how far a synchronisation is. */
export function progressText({ stage, done, total }: SyncProgress): string {
  if (stage !== 'articles') return t(`accounts.stage.${stage}`);
  return total === null
    ? t('accounts.stage.articles.count', { count: done })
    : t('accounts.stage.articles', { done, total });
}
