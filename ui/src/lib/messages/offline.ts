/** Messages about offline reading. */
import type { OfflineProgress, OfflineState, OfflineContent, FullTextWhen } from '../ipc';
import { fileSize } from './format';
import { inLine, t } from './index';

/** When the full text is loaded as an article is opened. */
export const FULL_TEXT_WHEN: readonly FullTextWhen[] = ['never', 'short', 'always'];

export const fullTextWhenText = (when: FullTextWhen): string =>
  t(
    (
      {
        never: 'full_text.when.never',
        short: 'full_text.when.short',
        always: 'full_text.when.always',
      } as const
    )[when],
  );

const itemCounts = ({ texts, images }: Pick<OfflineState, 'texts' | 'images'>): string[] => [
  t('offline.texts', { count: texts }),
  t('offline.images', { count: images }),
];

/** Returns what is downloaded, waiting and failed, one line each. */
export function downloadedText(state: OfflineState): string[] {
  const lines = [
    state.texts + state.images === 0
      ? t('offline.nothing_downloaded')
      : t('offline.downloaded', { items: inLine([...itemCounts(state), fileSize(state.bytes)]) }),
  ];
  if (state.queued > 0) {
    lines.push(t('offline.waiting', { count: state.queued }));
    if (state.wait) lines.push(t(state.wait === 'metered' ? 'offline.wait.metered' : 'offline.wait.battery'));
  }
  if (state.failed > 0) lines.push(t('offline.failed', { count: state.failed }));
  return lines;
}

/** Returns the progress of the downloads or why they are waiting; empty when there is neither. */
export function downloadProgressText(progress: OfflineProgress | null): string {
  if (!progress) return '';
  if (progress.running) return t('offline.progress', { items: inLine(itemCounts(progress)) });
  if (progress.offline) return t('offline.no_connection');
  return progress.other_process ? t('offline.other_process') : '';
}

export type DownloadName = 'none' | 'text' | 'images' | 'both';

const DOWNLOADS: Record<DownloadName, OfflineContent> = {
  none: { text: false, images: false },
  text: { text: true, images: false },
  images: { text: false, images: true },
  both: { text: true, images: true },
};

export const downloadOf = (name: DownloadName): OfflineContent => DOWNLOADS[name];

export function downloadName(download: OfflineContent): DownloadName {
  if (download.text) return download.images ? 'both' : 'text';
  return download.images ? 'images' : 'none';
}

/** Returns what is downloaded: "Full text and images". */
export const downloadText = (name: DownloadName): string =>
  t(
    (
      {
        none: 'offline.feed.none',
        text: 'offline.feed.text',
        images: 'offline.feed.images',
        both: 'offline.feed.both',
      } as const
    )[name],
  );
