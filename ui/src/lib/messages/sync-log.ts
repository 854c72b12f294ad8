/** Messages about synchronisations and about changes of marks. */
import type { MarkChange, SyncLogEntry } from '../ipc';
import { errorText } from './errors';
import { fileSize } from './format';
import { durationText } from './feed-info';
import { inLine, t } from './index';

/** Returns what a synchronisation changed, or why it failed. */
export function outcomeText(entry: SyncLogEntry): string {
  const facts = [
    entry.error ? errorText(entry.error).what : '',
    entry.stopped ? t('sync_log.stopped') : '',
    entry.new_articles > 0 ? t('sync_log.new', { count: entry.new_articles }) : '',
    entry.changed_articles > 0 ? t('sync_log.changed', { count: entry.changed_articles }) : '',
    entry.sent > 0 ? t('sync_log.sent', { count: entry.sent }) : '',
    entry.feeds_added > 0 ? t('sync_log.feeds_added', { count: entry.feeds_added }) : '',
    entry.feeds_left > 0 ? t('sync_log.feeds_left', { count: entry.feeds_left }) : '',
  ].filter((fact) => fact !== '');
  return facts.length > 0 ? inLine(facts) : t('sync_log.none');
}

/** Returns the requests of a synchronisation, its duration and its size. */
export const costText = (entry: SyncLogEntry): string =>
  inLine([
    entry.times > 1 ? t('sync_log.times', { count: entry.times }) : '',
    t('feed_info.requests.count', { count: entry.requests }),
    durationText(entry.duration_ms),
    fileSize(entry.bytes),
  ]);

/** Returns what the server did not accept. */
export const rejectionTexts = (entry: SyncLogEntry): string[] => [
  ...(entry.incomplete ? [t('sync_log.incomplete')] : []),
  ...entry.rejections.map(({ kind, title }) => t(`sync_log.${kind}`, { title })),
];

/** Returns a change of a mark. */
export function changeText({ mark, on, tag }: MarkChange): string {
  if (mark === 'tag') return on ? t('marks.tag.on', { tag: tag ?? '' }) : t('marks.tag.off', { tag: tag ?? '' });
  if (mark === 'read') return on ? t('marks.read.on') : t('marks.read.off');
  return on ? t('marks.starred.on') : t('marks.starred.off');
}

/** Returns the cause of a change, or whether the server accepted it. */
export function causeText({ cause, account, rule }: MarkChange): string {
  const name = account ?? t('marks.deleted_account');
  switch (cause) {
    case 'here':
    case 'undo':
    case 'duplicate':
    case 'import':
      return t(`marks.by.${cause}`);
    case 'rule':
      return rule === null ? t('marks.by.deleted_rule') : t('marks.by.rule', { name: rule });
    case 'server':
    case 'sent':
    case 'refused':
      return t(`marks.by.${cause}`, { account: name });
  }
}
