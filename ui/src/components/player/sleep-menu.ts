/** The menu of the sleep timer. */
import { t } from '../../lib/messages';
import { player, SLEEPS } from '../../lib/state/player.svelte';
import type { MenuItem } from '../shared/menu-item';

export function sleepMenu(): Exclude<MenuItem, 'line'>[] {
  const { sleep } = player;
  return [
    { label: t('player.sleep.off'), chosen: sleep === null, run: () => (player.sleep = null) },
    ...SLEEPS.map((minutes) => ({
      label: t('player.sleep.minutes', { count: minutes }),
      chosen: sleep?.kind === 'at' && sleep.minutes === minutes,
      run: () => player.sleepIn(minutes),
    })),
    ...(player.chapters.length > 0
      ? [
          {
            label: t('player.sleep.chapter'),
            chosen: sleep?.kind === 'chapter',
            run: () => player.sleepAtChapter(),
          },
        ]
      : []),
    { label: t('player.sleep.end'), chosen: sleep?.kind === 'item', run: () => player.sleepAtEnd() },
  ];
}
