/** The menu of media downloads. */
import CloudDownload from '@lucide/svelte/icons/cloud-download';
import RotateCw from '@lucide/svelte/icons/rotate-cw';
import Trash from '@lucide/svelte/icons/trash-2';
import X from '@lucide/svelte/icons/x';
import { t } from '../../lib/messages';
import { episodes } from '../../lib/state/episodes.svelte';
import type { MenuItem } from '../shared/menu-item';

/** Menu to download the media of an article, or to cancel or remove a download; `url` names one of its files. */
export function downloadMenu(id: number, url: string | null = null): Exclude<MenuItem, 'line'>[] {
  const episode = episodes.of(id, url);
  const download = () => void episodes.download([id], episode?.url ?? url);
  if (!episode) return [{ label: t('downloads.download'), icon: CloudDownload, run: download }];
  const remove = () => void episodes.remove(episode);
  if (episode.state === 'queued') return [{ label: t('downloads.cancel'), icon: X, run: remove }];
  return [
    ...(episode.state === 'failed' ? [{ label: t('downloads.retry'), icon: RotateCw, run: download }] : []),
    { label: t('downloads.remove'), icon: Trash, run: remove },
  ];
}
