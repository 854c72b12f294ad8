/** Menu of a row of the tree, or of all selected rows. */
import CheckCheck from '@lucide/svelte/icons/check-check';
import FolderInput from '@lucide/svelte/icons/folder-input';
import FolderX from '@lucide/svelte/icons/folder-x';
import RefreshCw from '@lucide/svelte/icons/refresh-cw';
import Trash from '@lucide/svelte/icons/trash-2';
import type { Moved } from '../../lib/arrange';
import type { Feed, Source } from '../../lib/ipc';
import { t } from '../../lib/messages';
import { titleOf } from '../../lib/state/arrange';
import { dialogs } from '../../lib/state/dialogs.svelte';
import { deleteFolders, foldersAndFeeds, unsubscribe } from '../../lib/state/feeds';
import { library } from '../../lib/state/library.svelte';
import { markSourcesRead } from '../../lib/state/marks';
import { refresh } from '../../lib/state/refresh.svelte';
import { sidebar } from '../../lib/state/sidebar.svelte';
import { feedsWithin } from '../../lib/tree';
import type { MenuItem } from '../shared/menu-item';
import { accountItems, smartMenu, treeMenu, within } from './feed-menu';
import type { Node } from './nodes';
import { notedMenu, searchMenu, sectionMenu, tagMenu } from './collection-menus';

export function nodeMenu(node: Node, why: () => void): MenuItem[] {
  switch (node.kind) {
    case 'row':
      return sidebar.selected.size > 1 && sidebar.selected.has(node.key)
        ? severalMenu(node.key)
        : treeMenu(node.row, why);
    case 'search':
      return searchMenu(node.search);
    case 'tag':
      return tagMenu(node.tag);
    case 'noted':
      return [...notedMenu(), ...smartMenu(node.source)];
    case 'smart':
    case 'listening':
    case 'downloads':
    case 'hidden':
      return smartMenu(node.source);
    case 'language':
    case 'section':
      return sectionMenu(node.kind === 'section' ? node.key : 'languages');
  }
}

function severalMenu(key: string): MenuItem[] {
  const moved = sidebar.targets(key);
  const feeds = moved.feeds.flatMap((id) => library.feedById.get(id) ?? []);
  const sources: Source[] = [
    ...moved.folders.map((id) => ({ kind: 'folder', id }) as const),
    ...moved.feeds.map((id) => ({ kind: 'feed', id }) as const),
  ];
  const polled = [...feeds.filter((feed) => !feed.local), ...within(moved.folders)];
  const ids = [...new Set(polled.map((feed) => feed.id))];
  return [
    {
      label: t('tree.refresh'),
      icon: RefreshCw,
      disabled: ids.length === 0,
      run: () => void refresh.start({ kind: 'feeds', ids }),
    },
    { label: t('menu.mark_all'), icon: CheckCheck, run: () => void markSourcesRead(sources) },
    {
      label: t('menu.move'),
      icon: FolderInput,
      run: () => dialogs.show({ kind: 'move', moved, title: titleOf(moved) }),
    },
    ...accountItems(ids, titleOf(moved)),
    'line',
    ...(moved.folders.length > 0
      ? folderItems(moved, key)
      : [
          {
            label: t('tree.unsubscribe', { count: feeds.length }),
            icon: Trash,
            action: 'delete' as const,
            disabled: feeds.length === 0,
            run: () => void unsubscribe(feeds).then(() => sidebar.clearSelection(key)),
          },
        ]),
  ];
}

/** Returns the items that delete selected folders, and the feeds that are selected or in them. */
function folderItems(moved: Moved, key: string): MenuItem[] {
  const folders = moved.folders.flatMap((id) => library.folderById.get(id) ?? []);
  const within = folders.flatMap(({ id }) => feedsWithin(id, library.folders, library.feeds));
  const going = new Set([...moved.feeds, ...within.map(({ id }) => id)]);
  const item = (feeds: readonly Feed[]) => ({
    label: t('tree.delete', { what: foldersAndFeeds(folders.length, feeds.length) }),
    // An account is removed in the settings.
    disabled: folders.some(({ account }) => account !== undefined),
    run: () => void deleteFolders(folders, feeds).then(() => sidebar.clearSelection(key)),
  });
  const whole = item(library.feeds.filter(({ id }) => going.has(id)));
  // Feeds that were not selected stay unless the menu says otherwise.
  if (moved.feeds.length > 0) return [{ ...whole, icon: Trash, action: 'delete' }];
  const alone: MenuItem = { ...item([]), icon: FolderX, action: 'delete' };
  return going.size > 0 ? [alone, { ...whole, icon: Trash }] : [alone];
}
