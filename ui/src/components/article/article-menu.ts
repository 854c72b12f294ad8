/** The menus of an article: of its row, its toolbar, its window and its history. */
import AppWindow from '@lucide/svelte/icons/app-window';
import ArrowDownToLine from '@lucide/svelte/icons/arrow-down-to-line';
import ArrowUpToLine from '@lucide/svelte/icons/arrow-up-to-line';
import BookOpen from '@lucide/svelte/icons/book-open';
import Circle from '@lucide/svelte/icons/circle';
import CircleDot from '@lucide/svelte/icons/circle-dot';
import CircleQuestionMark from '@lucide/svelte/icons/circle-question-mark';
import ExternalLink from '@lucide/svelte/icons/external-link';
import CheckCheck from '@lucide/svelte/icons/check-check';
import EyeOff from '@lucide/svelte/icons/eye-off';
import Headphones from '@lucide/svelte/icons/headphones';
import Link from '@lucide/svelte/icons/link';
import Printer from '@lucide/svelte/icons/printer';
import Rss from '@lucide/svelte/icons/rss';
import Star from '@lucide/svelte/icons/star';
import StarOff from '@lucide/svelte/icons/star-off';
import FileDown from '@lucide/svelte/icons/file-down';
import Tag from '@lucide/svelte/icons/tag';
import type { ArticleRow } from '../../lib/ipc';
import { t } from '../../lib/messages';
import { dialogs } from '../../lib/state/dialogs.svelte';
import { exporting } from '../../lib/state/export.svelte';
import { library } from '../../lib/state/library.svelte';
import { list } from '../../lib/state/list.svelte';
import { markPlayed, playRow } from '../../lib/state/listening';
import { markAllRead, toggleRead, toggleStar } from '../../lib/state/marks';
import { player } from '../../lib/state/player.svelte';
import { copyRowLink, goToFeed, hide, isFeedShown, openRowInBrowser, showInWindow } from '../../lib/state/navigation';
import { isStarted } from '../../lib/state/row-progress';
import { downloadMenu } from '../player/download-menu';
import { queueMenu } from '../player/queue-menu';
import type { MenuItem } from '../shared/menu-item';
import { shareMenu } from './share-menu';

/** Menu to save articles as one document. */
export function saveMenu(ids: number[], title: string): MenuItem[] {
  return (['markdown', 'html', 'epub'] as const).map((form) => ({
    label: t(`save.${form}`),
    icon: FileDown,
    run: () => void exporting.save({ ids }, title, form),
  }));
}

/** Asks why an article of an account is read or unread. */
export function historyMenu(article: Pick<ArticleRow, 'id' | 'feed_id' | 'title' | 'read'>): MenuItem[] {
  if (library.feedById.get(article.feed_id)?.account_id === undefined) return [];
  return [
    {
      label: article.read ? t('marks.why_read') : t('marks.why_unread'),
      icon: CircleQuestionMark,
      run: () => dialogs.show({ kind: 'mark_history', id: article.id, title: article.title }),
    },
  ];
}

/** Shows an article in a window of its own or in the list of its feed, or prints it. */
export function windowMenu(article: Pick<ArticleRow, 'id' | 'feed_id' | 'sort_at'>): MenuItem[] {
  const { id, feed_id } = article;
  return [
    { label: t('key.new_window'), icon: AppWindow, action: 'new_window', run: () => void showInWindow(id) },
    ...(isFeedShown(feed_id)
      ? []
      : [
          {
            label: t('key.go_to_feed'),
            icon: Rss,
            action: 'go_to_feed' as const,
            run: () => void goToFeed(article),
          },
        ]),
    { label: t('key.print'), icon: Printer, action: 'print', run: () => void showInWindow(id, true) },
  ];
}

/** Menu of a list row. */
export function articleMenu(row: ArticleRow, open: (row: ArticleRow) => void): MenuItem[] {
  const items: MenuItem[] = [
    {
      label: t('key.browser'),
      icon: ExternalLink,
      action: 'browser',
      disabled: !row.has_link,
      run: () => void openRowInBrowser(row),
    },
    {
      label: t('menu.copy_link'),
      icon: Link,
      action: 'copy_link',
      disabled: !row.has_link,
      run: () => void copyRowLink(row),
    },
    { label: t('menu.open'), icon: BookOpen, action: 'open', run: () => open(row) },
    ...windowMenu(row),
    'line',
    row.read
      ? { label: t('menu.mark_unread'), icon: CircleDot, action: 'toggle_read', run: () => void toggleRead(row) }
      : { label: t('menu.mark_read'), icon: Circle, action: 'toggle_read', run: () => void toggleRead(row) },
    row.starred
      ? { label: t('menu.unstar'), icon: StarOff, action: 'toggle_star', run: () => void toggleStar(row) }
      : { label: t('menu.star'), icon: Star, action: 'toggle_star', run: () => void toggleStar(row) },
    {
      label: t('key.tag'),
      icon: Tag,
      action: 'tag',
      run: () => dialogs.show({ kind: 'tags', ids: [row.id], title: row.title }),
    },
    {
      label: list.source.kind === 'hidden' && !list.searching ? t('order.unhide') : t('order.hide'),
      icon: EyeOff,
      action: 'hide',
      run: () => void hide(row),
    },
    ...historyMenu(row),
  ];
  if (row.media)
    items.push(
      'line',
      {
        label: player.now?.id === row.id && player.playing ? t('player.pause') : t('player.play'),
        icon: Headphones,
        run: () => void playRow(row),
      },
      ...queueMenu(() => [row.id], null, player.now?.id === row.id),
      ...downloadMenu(row.id),
    );
  if (isStarted(row)) items.push({ label: t('listening.played'), icon: CheckCheck, run: () => void markPlayed(row) });
  items.push('line', ...shareMenu(() => [row.id]));
  // More results may exist than are loaded.
  if (list.searching) return items;
  return [
    ...items,
    'line',
    { label: t('menu.mark_above'), icon: ArrowUpToLine, run: () => void markAllRead('above', row) },
    { label: t('menu.mark_below'), icon: ArrowDownToLine, run: () => void markAllRead('below', row) },
    { label: t('menu.mark_all'), icon: CheckCheck, action: 'mark_all', run: () => void markAllRead() },
  ];
}
