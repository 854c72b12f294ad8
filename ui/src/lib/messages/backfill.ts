/** Messages about fetching older articles from a feed's archive. */
import type { BackfillProgress } from '../ipc';
import { errorText } from './errors';
import { moment } from './format';
import { inLine, t } from './index';

type Counts = Pick<BackfillProgress, 'pages' | 'articles'>;

const counted = ({ pages, articles }: Counts): string[] => [
  t('backfill.pages', { count: pages }),
  articles === 0 ? t('backfill.no_articles') : t('backfill.articles', { count: articles }),
];

/** Returns the progress: "3 pages downloaded · 42 older articles". */
export const backfillProgressText = (counts: Counts): string =>
  counts.pages === 0 ? t('backfill.starting') : inLine(counted(counts));

function reasonText(ended: NonNullable<BackfillProgress['ended']>, now: number): string {
  switch (ended.kind) {
    case 'retry_after':
      return t('backfill.retry_after', { when: moment(ended.until, now) });
    case 'failed':
      return t('backfill.failed', { what: errorText(ended.error).what });
    default:
      return t(`backfill.${ended.kind}`);
  }
}

/** Returns what was downloaded and why it ended, or null while it is running. */
export function backfillEndText(progress: BackfillProgress, now: number): string | null {
  const { ended, pages } = progress;
  if (ended === null) return null;
  const reason = reasonText(ended, now);
  return pages === 0 || ended.kind === 'nothing_offered' ? reason : inLine([...counted(progress), reason]);
}
