/** Actions and menus for the selected rows of the list. */
import Circle from '@lucide/svelte/icons/circle';
import CircleDot from '@lucide/svelte/icons/circle-dot';
import CloudDownload from '@lucide/svelte/icons/cloud-download';
import ExternalLink from '@lucide/svelte/icons/external-link';
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
import {
  copyPicked,
  hidePicked,
  openPicked,
  readPicked,
  savePicked,
  starPicked,
  tagPicked,
} from '../../lib/state/bulk';
import { episodes } from '../../lib/state/episodes.svelte';
import { articleMenu } from '../article/article-menu';
import { shareMenu } from '../article/share-menu';
import { queueMenu } from '../player/queue-menu';
import type { MenuItem } from '../shared/menu-item';

type BulkAction = {
  readonly label: string;
  readonly icon: Component;
  readonly action: Action;
  readonly run: () => void;
};

/** Bulk actions for the selected rows. */
export function bulkActions(): BulkAction[] {
  const rows = list.picked();
  const unread = rows.some((row) => !row.read);
  const plain = rows.some((row) => !row.starred);
  const shown = list.source.kind === 'hidden' && !list.searching;
  return [
    {
      label: unread ? t('selection.read') : t('selection.unread'),
      icon: unread ? Circle : CircleDot,
      action: 'toggle_read',
      run: () => void readPicked(),
    },
    {
      label: plain ? t('selection.star') : t('selection.unstar'),
      icon: plain ? Star : StarOff,
      action: 'toggle_star',
      run: () => void starPicked(),
    },
    { label: t('tags.title'), icon: Tag, action: 'tag', run: tagPicked },
    {
      label: shown ? t('selection.unhide') : t('selection.hide'),
      icon: EyeOff,
      action: 'hide',
      run: () => void hidePicked().then(() => layout.focus('list')),
    },
    { label: t('key.browser'), icon: ExternalLink, action: 'browser', run: () => void openPicked() },
    { label: t('selection.links'), icon: Link, action: 'copy_link', run: () => void copyPicked() },
  ];
}

export const saveSelectedMenu = (): MenuItem[] =>
  (['markdown', 'html', 'epub'] as const).map((form) => ({
    label: t(`save.${form}`),
    icon: FileDown,
    run: () => savePicked(form),
  }));

/** The ids of the selected rows. */
export const pickedIds = (): number[] => list.picked().map((row) => row.id);

/** Returns whether actions on this row apply to several rows. */
export const isBulk = (row: ArticleRow): boolean => list.picks.ids.size > 1 && list.picks.ids.has(row.id);

const downloadPicked = (): MenuItem => ({
  label: t('downloads.download'),
  icon: CloudDownload,
  run: () => void episodes.download(pickedIds()),
});

/** Menu of a row. If the row is one of several selected ones, actions apply to all of them and show their number. */
export function rowMenu(row: ArticleRow, open: (row: ArticleRow) => void): MenuItem[] {
  if (!isBulk(row)) return articleMenu(row, open);
  const count = list.picks.ids.size;
  const queue = list.picked().some(({ media }) => media)
    ? ['line' as const, ...queueMenu(pickedIds), downloadPicked()]
    : [];
  return [
    ...bulkActions(),
    ...queue,
    'line' as const,
    ...shareMenu(pickedIds),
    'line' as const,
    ...saveSelectedMenu(),
  ].map((item) => (item === 'line' ? item : { ...item, label: t('selection.act', { what: item.label, count }) }));
}
