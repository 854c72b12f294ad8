/** The menus of saved searches, tags and the notes view. */
import ArrowDown from '@lucide/svelte/icons/arrow-down';
import ArrowUp from '@lucide/svelte/icons/arrow-up';
import CheckCheck from '@lucide/svelte/icons/check-check';
import ChevronsDownUp from '@lucide/svelte/icons/chevrons-down-up';
import ChevronsUpDown from '@lucide/svelte/icons/chevrons-up-down';
import FileDown from '@lucide/svelte/icons/file-down';
import Pencil from '@lucide/svelte/icons/pencil';
import Settings from '@lucide/svelte/icons/settings';
import Trash from '@lucide/svelte/icons/trash-2';
import { tick } from 'svelte';
import type { SavedSearch, Tag } from '../../lib/ipc';
import { t } from '../../lib/messages';
import { collections, deleteSearch, deleteTag, moveSearch, notifyOf } from '../../lib/state/collections.svelte';
import { dialogs } from '../../lib/state/dialogs.svelte';
import { layout } from '../../lib/state/layout.svelte';
import { markSourceRead } from '../../lib/state/marks';
import { settings } from '../../lib/state/settings.svelte';
import { sidebar } from '../../lib/state/sidebar.svelte';
import { saveNotes } from '../../lib/state/notes.svelte';
import type { MenuItem } from '../shared/menu-item';

/** The focused row may have been removed. */
async function keepFocus(): Promise<void> {
  await tick();
  if (document.activeElement === document.body) layout.focus('sidebar');
}

export function searchMenu(search: SavedSearch): MenuItem[] {
  const at = collections.searches.findIndex((other) => other.id === search.id);
  const last = collections.searches.length - 1;
  return [
    { label: t('menu.rename'), icon: Pencil, action: 'rename', run: () => sidebar.rename(`search-${search.id}`) },
    { label: t('order.search.up'), icon: ArrowUp, disabled: at <= 0, run: () => void moveSearch(search, -1) },
    { label: t('order.search.down'), icon: ArrowDown, disabled: at === last, run: () => void moveSearch(search, 1) },
    'line',
    {
      label: t('order.search.notify'),
      chosen: search.notify,
      run: () => void notifyOf(search, !search.notify),
    },
    'line',
    {
      label: t('order.search.delete'),
      icon: Trash,
      action: 'delete',
      run: () => void deleteSearch(search).then(keepFocus),
    },
  ];
}

/** Menu of the tags or the languages as a whole. */
export function sectionMenu(section: 'tags' | 'languages'): MenuItem[] {
  const setting = `collapse_${section}` as const;
  const collapsed = settings.value[setting];
  return [
    {
      label: collapsed ? t('tree.expand') : t('tree.collapse'),
      icon: collapsed ? ChevronsUpDown : ChevronsDownUp,
      run: () => settings.change({ [setting]: !collapsed }),
    },
    'line',
    {
      label: t('tree.sections'),
      icon: Settings,
      run: () => dialogs.show({ kind: 'settings', part: 'appearance' }),
    },
  ];
}

/** Menu of the notes view. */
export const notedMenu = (): MenuItem[] => [
  { label: t('notes.save_all'), icon: FileDown, run: () => void saveNotes([], t('notes.title')) },
  'line',
];

export function tagMenu(tag: Tag): MenuItem[] {
  return [
    {
      label: t('menu.mark_all'),
      icon: CheckCheck,
      disabled: tag.unread === 0,
      run: () => void markSourceRead({ kind: 'tag', id: tag.id }),
    },
    { label: t('menu.rename'), icon: Pencil, action: 'rename', run: () => sidebar.rename(`tag-${tag.id}`) },
    'line',
    {
      label: t('order.tag.delete'),
      icon: Trash,
      action: 'delete',
      run: () => void deleteTag(tag).then(keepFocus),
    },
  ];
}
