/** The menu of the play queue. */
import ListEnd from '@lucide/svelte/icons/list-end';
import ListStart from '@lucide/svelte/icons/list-start';
import { t } from '../../lib/messages';
import { playQueue } from '../../lib/state/play-queue.svelte';
import type { MenuItem } from '../shared/menu-item';

/** Menu to play the media of articles next or later; `url` names one of an article's files. The item that is playing needs no place. */
export const queueMenu = (
  ids: () => readonly number[],
  url: string | null = null,
  disabled = false,
): Exclude<MenuItem, 'line'>[] => [
  { label: t('queue.next'), icon: ListStart, disabled, run: () => void playQueue.add(ids(), true, url) },
  {
    label: t('queue.later'),
    icon: ListEnd,
    disabled,
    ...(url === null ? { action: 'play_later' as const } : {}),
    run: () => void playQueue.add(ids(), false, url),
  },
];
