/** Menu of a row of the tree, or of all selected rows. */
import CheckCheck from '@lucide/svelte/icons/check-check';
import FolderInput from '@lucide/svelte/icons/folder-input';
import RefreshCw from '@lucide/svelte/icons/refresh-cw';
import Trash from '@lucide/svelte/icons/trash-2';
import type { Source } from '../../lib/ipc';
import { t } from '../../lib/messages';
import { titleOf } from '../../lib/state/arrange';
import { dialogs } from '../../lib/state/dialogs.svelte';
import { unsubscribe } from '../../lib/state/feeds';
import { library } from '../../lib/state/library.svelte';
import { markSourcesRead } from '../../lib/state/marks';
import { refresh } from '../../lib/state/refresh.svelte';
import { sidebar } from '../../lib/state/sidebar.svelte';
import type { MenuItem } from '../shared/menu-item';
import { accountItems, smartMenu, treeMenu, within } from './feed-menu';
import type { Node } from './nodes';
import { notedMenu, searchMenu, tagMenu } from './collection-menus';

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
      return smartMenu({ kind: 'all' });
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
    {
      label: t('tree.unsubscribe', { count: feeds.length }),
      icon: Trash,
      action: 'delete',
      disabled: feeds.length === 0,
      run: () => void unsubscribe(feeds).then(() => sidebar.clearSelection(key)),
    },
  ];
}
