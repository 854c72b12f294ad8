/** The name of a row for screen readers. */
import type { ArticleRow, Feed, SearchHit } from '../../lib/ipc';
import { t } from '../../lib/messages';
import { downloadText } from '../../lib/messages/downloads';
import { commas, readingTime, shortDate } from '../../lib/messages/format';
import { clock, progressText } from '../../lib/messages/playback';
import { rowTexts } from '../../lib/repeated-title';
import { episodes } from '../../lib/state/episodes.svelte';
import { playedArticles } from '../../lib/state/played.svelte';
import { rowParts } from '../../lib/state/row-parts.svelte';

function lengthOf(row: ArticleRow): string[] {
  // The stored position: a screen reader would announce a name that changes every second.
  const played = playedArticles.of(row);
  const progress = played ? [progressText(played)] : [];
  if (!row.media) return played || row.reading_minutes <= 1 ? progress : [readingTime(row.reading_minutes)];
  const media = t(row.media === 'video' ? 'list.video' : 'list.audio');
  const length = row.duration && (!played || played.finished) ? [clock(row.duration)] : [];
  return [media, ...length, ...progress];
}

/** Returns everything that any layout shows of a row but the excerpt, so that screen readers go through the list by titles. */
export function rowName(row: ArticleRow, feed: Feed | undefined, hit?: SearchHit): string {
  const { title, excerpt } = rowTexts(row);
  const download = row.media === null ? undefined : episodes.of(row.id);
  return commas([
    ...(row.read ? [] : [t('row.unread')]),
    title || excerpt || t('list.untitled'),
    ...(feed && rowParts.namesFeeds ? [feed.title] : []),
    ...((rowParts.namesAuthors || hit?.author_marks.length) && row.author ? [row.author] : []),
    ...lengthOf(row),
    ...(download ? [downloadText(download, episodes.progress(download), true)] : []),
    ...(row.updated ? [t('list.updated')] : []),
    ...(row.starred ? [t('row.starred')] : []),
    shortDate(row.published ?? row.sort_at),
  ]);
}
