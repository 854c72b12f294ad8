import Circle from '@lucide/svelte/icons/circle';
import CircleDot from '@lucide/svelte/icons/circle-dot';
import EyeOff from '@lucide/svelte/icons/eye-off';
import FileDown from '@lucide/svelte/icons/file-down';
import Link from '@lucide/svelte/icons/link';
import Star from '@lucide/svelte/icons/star';
import StarOff from '@lucide/svelte/icons/star-off';
import Tag from '@lucide/svelte/icons/tag';
import type { Component } from 'svelte';
import type { ArticleRow } from '../../lib/ipc';
import type { Action } from '../../lib/keys/bindings';
import { t } from '../../lib/messages';
import { layout } from '../../lib/state/layout.svelte';
import { list } from '../../lib/state/list.svelte';
import { copyPicked, hidePicked, readPicked, savePicked, starPicked, tagPicked } from '../../lib/state/picked';
import { articleMenu } from '../article/article-menu';
import type { MenuItem } from '../shared/menu-item';

type Act = { readonly label: string; readonly icon: Component; readonly action: Action; readonly run: () => void };

/** What can be done with all rows that are chosen. */
export function pickedActs(): Act[] {
  const rows = list.picked();
  const unread = rows.some((row) => !row.read);
  const plain = rows.some((row) => !row.starred);
  const shown = list.source.kind === 'hidden' && !list.searching;
  return [
    {
      label: unread ? t('pick.read') : t('pick.unread'),
      icon: unread ? Circle : CircleDot,
      action: 'toggle_read',
      run: () => void readPicked(),
    },
    {
      label: plain ? t('pick.star') : t('pick.unstar'),
      icon: plain ? Star : StarOff,
      action: 'toggle_star',
      run: () => void starPicked(),
    },
    { label: t('tags.title'), icon: Tag, action: 'tag', run: tagPicked },
    {
      label: shown ? t('pick.unhide') : t('pick.hide'),
      icon: EyeOff,
      action: 'hide',
      run: () => void hidePicked().then(() => layout.focus('list')),
    },
    { label: t('pick.links'), icon: Link, action: 'copy_link', run: () => void copyPicked() },
  ];
}

export const savePickedMenu = (): MenuItem[] =>
  (['markdown', 'html', 'epub'] as const).map((form) => ({
    label: t(`save.${form}`),
    icon: FileDown,
    run: () => savePicked(form),
  }));

/** Whether what is done with this row is done with many. */
export const amongPicked = (row: ArticleRow): boolean => list.picks.ids.size > 1 && list.picks.ids.has(row.id);

/** The menu of a row. Where it is one of many that are chosen, all is done with all of them, and each act says with how many. */
export function rowMenu(row: ArticleRow, open: (row: ArticleRow) => void): MenuItem[] {
  if (!amongPicked(row)) return articleMenu(row, open);
  const count = list.picks.ids.size;
  return [...pickedActs(), 'line' as const, ...savePickedMenu()].map((item) =>
    item === 'line' ? item : { ...item, label: t('pick.act', { what: item.label, count }) },
  );
}
