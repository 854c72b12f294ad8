/** The menus of feeds, folders and smart views in the sidebar. */
import ArrowDownAZ from '@lucide/svelte/icons/arrow-down-a-z';
import ChevronsDownUp from '@lucide/svelte/icons/chevrons-down-up';
import ChevronsUpDown from '@lucide/svelte/icons/chevrons-up-down';
import CalendarCheck from '@lucide/svelte/icons/calendar-check';
import CalendarCheck2 from '@lucide/svelte/icons/calendar-check-2';
import CheckCheck from '@lucide/svelte/icons/check-check';
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import Copy from '@lucide/svelte/icons/copy';
import ExternalLink from '@lucide/svelte/icons/external-link';
import FolderInput from '@lucide/svelte/icons/folder-input';
import FolderPlus from '@lucide/svelte/icons/folder-plus';
import FolderX from '@lucide/svelte/icons/folder-x';
import History from '@lucide/svelte/icons/history';
import Info from '@lucide/svelte/icons/info';
import Pencil from '@lucide/svelte/icons/pencil';
import RefreshCw from '@lucide/svelte/icons/refresh-cw';
import Server from '@lucide/svelte/icons/server';
import Settings from '@lucide/svelte/icons/settings';
import Trash from '@lucide/svelte/icons/trash-2';
import type { Feed, Source } from '../../lib/ipc';
import { t } from '../../lib/messages';
import { hasAccounts } from '../../lib/state/account-moves';
import { accounts } from '../../lib/state/accounts.svelte';
import { dialogs } from '../../lib/state/dialogs.svelte';
import {
  showFeedInfo,
  copyText,
  deleteFolder,
  fetchOlder,
  openSite,
  showPreferences,
  unsubscribe,
} from '../../lib/state/feeds';
import { library } from '../../lib/state/library.svelte';
import { markOlderRead, markSourceRead } from '../../lib/state/marks';
import { refresh } from '../../lib/state/refresh.svelte';
import { sidebar } from '../../lib/state/sidebar.svelte';
import { openAllFolders, sortByName } from '../../lib/state/sort';
import { isFile } from '../../lib/web-address';
import { feedsWithin, type TreeRow } from '../../lib/tree';
import type { MenuItem } from '../shared/menu-item';

/** Menu of a feed or folder in the sidebar. */
export function treeMenu(row: TreeRow, why: () => void): MenuItem[] {
  return row.kind === 'feed' ? feedMenu(row, why) : folderMenu(row);
}

/** Returns the feeds in these folders and their subfolders that are polled. */
export function within(folders: readonly number[]): Feed[] {
  const all = new Set(folders);
  // Parents come before their children.
  for (const folder of library.folders) if (folder.parent_id !== null && all.has(folder.parent_id)) all.add(folder.id);
  return library.feeds.filter((feed) => !feed.local && feed.folder_id !== null && all.has(feed.folder_id));
}

/** Returns the item that moves feeds into an account or out of one, if there are accounts. */
export function accountItems(feeds: readonly number[], title: string): MenuItem[] {
  if (!hasAccounts()) return [];
  return [
    {
      label: t('menu.move_account'),
      icon: Server,
      disabled: feeds.length === 0,
      run: () => dialogs.show({ kind: 'move_account', feeds, title }),
    },
  ];
}

/** Returns the items that sort a folder, or the top level, and open or close all folders. */
export const treeItems = (parent: number | null): Exclude<MenuItem, 'line'>[] => [
  { label: t('tree.sort'), icon: ArrowDownAZ, run: () => void sortByName(parent) },
  { label: t('tree.expand_all'), icon: ChevronsUpDown, run: () => openAllFolders(true) },
  { label: t('tree.collapse_all'), icon: ChevronsDownUp, run: () => openAllFolders(false) },
];

const olderItems = (source: Source, disabled = false): MenuItem[] => [
  { label: t('menu.mark_older.day'), icon: CalendarCheck, disabled, run: () => void markOlderRead(source, 1) },
  { label: t('menu.mark_older.week'), icon: CalendarCheck2, disabled, run: () => void markOlderRead(source, 7) },
];

export function smartMenu(source: Source): MenuItem[] {
  return [
    { label: t('menu.mark_all'), icon: CheckCheck, run: () => void markSourceRead(source) },
    ...olderItems(source),
    { label: t('sidebar.refresh_all'), icon: RefreshCw, run: () => void refresh.start({ kind: 'all' }) },
    'line',
    { label: t('menu.new_folder'), icon: FolderPlus, run: () => dialogs.show({ kind: 'new_folder', parent: null }) },
    ...treeItems(null),
  ];
}

function feedMenu({ feed, unread }: Extract<TreeRow, { kind: 'feed' }>, why: () => void): MenuItem[] {
  const errorItems: MenuItem[] = feed.error
    ? [{ label: t('sidebar.feed_error.button', { title: feed.title }), icon: CircleAlert, run: why }, 'line']
    : [];
  const site = feed.home_url;
  return [
    ...errorItems,
    {
      label: t('menu.open_site'),
      icon: ExternalLink,
      disabled: site === null,
      run: () => void (site !== null && openSite(site)),
    },
    {
      label: t('menu.refresh_feed'),
      icon: RefreshCw,
      disabled: feed.local,
      run: () => void refresh.start({ kind: 'feed', id: feed.id }),
    },
    {
      label: t('menu.mark_all'),
      icon: CheckCheck,
      disabled: unread === 0,
      run: () => void markSourceRead({ kind: 'feed', id: feed.id }),
    },
    ...olderItems({ kind: 'feed', id: feed.id }, unread === 0),
    { label: t('menu.copy_feed_address'), icon: Copy, run: () => void copyText(feed.url) },
    { label: t('backfill.menu'), icon: History, disabled: feed.local || isFile(feed), run: () => fetchOlder(feed) },
    { label: t('feed_info.menu'), icon: Info, action: 'about', disabled: feed.local, run: () => showFeedInfo(feed) },
    'line',
    { label: t('menu.rename'), icon: Pencil, action: 'rename', run: () => sidebar.rename(`feed-${feed.id}`) },
    {
      label: t('menu.move'),
      icon: FolderInput,
      run: () => dialogs.show({ kind: 'move', moved: { feeds: [feed.id], folders: [] }, title: feed.title }),
    },
    ...accountItems(feed.local ? [] : [feed.id], feed.title),
    { label: t('menu.new_folder'), icon: FolderPlus, run: () => dialogs.show({ kind: 'new_folder', parent: null }) },
    'line',
    { label: t('menu.unsubscribe'), icon: Trash, action: 'delete', run: () => void unsubscribe([feed]) },
  ];
}

function folderMenu({ folder, unread }: Extract<TreeRow, { kind: 'folder' }>): MenuItem[] {
  const source: Source = { kind: 'folder', id: folder.id };
  const { account } = folder;
  const settings = () => dialogs.show({ kind: 'settings', part: 'accounts' });
  const feeds = feedsWithin(folder.id, library.folders, library.feeds);
  const first: MenuItem[] = account
    ? [
        { label: t('accounts.sync'), icon: RefreshCw, run: () => void accounts.sync(account.id, 'toast') },
        { label: t('accounts.settings'), icon: Server, run: settings },
      ]
    : [
        {
          label: t('menu.refresh_folder'),
          icon: RefreshCw,
          run: () => void refresh.start({ kind: 'folder', id: folder.id }),
        },
      ];
  return [
    ...first,
    { label: t('menu.mark_all'), icon: CheckCheck, disabled: unread === 0, run: () => void markSourceRead(source) },
    ...olderItems(source, unread === 0),
    {
      label: t(account ? 'accounts.feed_settings' : 'prefs.menu'),
      icon: Settings,
      action: 'preferences',
      run: () => showPreferences('folder', folder),
    },
    'line',
    { label: t('menu.rename'), icon: Pencil, action: 'rename', run: () => sidebar.rename(`folder-${folder.id}`) },
    // An account is in no folder.
    ...(account
      ? []
      : [
          {
            label: t('menu.move'),
            icon: FolderInput,
            run: () => dialogs.show({ kind: 'move', moved: { feeds: [], folders: [folder.id] }, title: folder.name }),
          },
        ]),
    ...accountItems(
      within([folder.id]).map((feed) => feed.id),
      folder.name,
    ),
    {
      label: t('menu.new_subfolder'),
      icon: FolderPlus,
      run: () => dialogs.show({ kind: 'new_folder', parent: folder.id }),
    },
    ...treeItems(folder.id),
    'line',
    ...(account
      ? [
          {
            label: t('accounts.remove.menu'),
            icon: Trash,
            action: 'delete' as const,
            run: () => {
              accounts.removing = account.id;
              settings();
            },
          },
        ]
      : [
          {
            label: t('menu.delete_folder'),
            icon: FolderX,
            action: 'delete' as const,
            run: () => void deleteFolder(folder),
          },
          ...(feeds.length > 0
            ? [{ label: t('menu.delete_folder.feeds'), icon: Trash, run: () => void deleteFolder(folder, feeds) }]
            : []),
        ]),
  ];
}
