/** Messages about archives. */
import type { ArchiveCounts } from '../ipc';
import { t } from './index';

/** Returns what an import found in an archive besides its feeds, one line per non-zero count. */
export function archiveLines(counts: ArchiveCounts): string[] {
  const lines = [
    ['archive.feeds_present', counts.existing_feeds],
    ['archive.articles_present', counts.existing_articles],
    ['archive.states_restored', counts.marked],
    ['archive.rules', counts.rules_added],
    ['archive.searches', counts.searches_added],
    ['archive.images', counts.images],
  ] as const;
  return lines.filter(([, count]) => count > 0).map(([key, count]) => t(key, { count }));
}
