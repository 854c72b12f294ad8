/** Texts about downloaded episodes. */
import type { EpisodeDownload, EpisodeProgress } from '../ipc';
import { formatLocale, t } from './index';
import { errorText } from './errors';
import { fileSize } from './format';

/** Returns the state of a download: "Queued", "Downloading: 40%", "Downloaded"; short without the reason of an error. */
export function downloadText(episode: EpisodeDownload, progress?: EpisodeProgress, short = false): string {
  if (episode.state === 'downloaded') return t('downloads.done');
  if (episode.state === 'failed') {
    if (short || !episode.error) return t('downloads.failed');
    return t('downloads.failed.why', { what: errorText(episode.error).what });
  }
  const { bytes, total } = progress ?? episode;
  return bytes === 0 ? t('downloads.queued') : progressText(bytes, total);
}

/** Returns how much is downloaded: "Downloading: 40%", or "Downloading: 2 MB" of an unknown size. */
export function progressText(bytes: number, total: number | null): string {
  const percent = new Intl.NumberFormat(formatLocale(), { style: 'percent' });
  return t('downloads.progress', { part: total ? percent.format(Math.min(1, bytes / total)) : fileSize(bytes) });
}
