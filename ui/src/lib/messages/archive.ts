/** Sentences about archives. */
import type { ArchiveCounts } from '../ipc';
import { t } from './index';

/** What came of an archive beside its feeds, a line each; what did not come is not mentioned. */
export function archiveLines(counts: ArchiveCounts): string[] {
  const lines = [
    ['archive.feeds_there', counts.feeds_there],
    ['archive.there', counts.articles_there],
    ['archive.marked', counts.marked],
    ['archive.rules', counts.rules_added],
    ['archive.searches', counts.searches_added],
    ['archive.pictures', counts.pictures],
  ] as const;
  return lines.filter(([, count]) => count > 0).map(([key, count]) => t(key, { count }));
}
