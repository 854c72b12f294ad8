/** The menu of the library as a whole. */
import BookOpen from '@lucide/svelte/icons/book-open';
import Bug from '@lucide/svelte/icons/bug';
import Archive from '@lucide/svelte/icons/archive';
import ArrowLeft from '@lucide/svelte/icons/arrow-left';
import ArrowRight from '@lucide/svelte/icons/arrow-right';
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import CloudDownload from '@lucide/svelte/icons/cloud-download';
import Download from '@lucide/svelte/icons/download';
import EyeOff from '@lucide/svelte/icons/eye-off';
import FolderPlus from '@lucide/svelte/icons/folder-plus';
import Gift from '@lucide/svelte/icons/gift';
import Headphones from '@lucide/svelte/icons/headphones';
import Highlighter from '@lucide/svelte/icons/highlighter';
import ChartColumn from '@lucide/svelte/icons/chart-column';
import Info from '@lucide/svelte/icons/info';
import Keyboard from '@lucide/svelte/icons/keyboard';
import ListFilter from '@lucide/svelte/icons/wand-sparkles';
import Power from '@lucide/svelte/icons/power';
import RotateCw from '@lucide/svelte/icons/rotate-cw';
import Settings from '@lucide/svelte/icons/settings-2';
import Shapes from '@lucide/svelte/icons/shapes';
import Sparkles from '@lucide/svelte/icons/wheat';
import Upload from '@lucide/svelte/icons/upload';
import { t } from '../../lib/messages';
import { attention } from '../../lib/state/attention.svelte';
import { copyDiagnostics } from '../../lib/state/feeds';
import { dialogs } from '../../lib/state/dialogs.svelte';
import { exporting } from '../../lib/state/export.svelte';
import { importing } from '../../lib/state/import.svelte';
import { layout } from '../../lib/state/layout.svelte';
import { saveNotes } from '../../lib/state/notes.svelte';
import { showSource } from '../../lib/state/navigation';
import { quit } from '../../lib/state/quit';
import { settings } from '../../lib/state/settings.svelte';
import { update } from '../../lib/state/update.svelte';
import { visited } from '../../lib/state/visited.svelte';
import type { MenuItem } from '../shared/menu-item';
import { treeItems } from './feed-menu';

/** Rare actions, in the command palette and in other menus and dialogs. */
export const libraryActions = (): Exclude<MenuItem, 'line'>[] => [
  ...treeItems(null),
  { label: t('notes.save_all'), icon: Highlighter, run: () => void saveNotes([], t('notes.title')) },
  { label: t('menu.diagnostics'), icon: Bug, run: () => void copyDiagnostics() },
];

/** Menu of the library as a whole. */
export const windowMenu = (): MenuItem[] => [
  ...(update.installed
    ? [{ label: t('update.menu'), icon: RotateCw, run: () => void update.restart() }, 'line' as const]
    : []),
  {
    label: t('key.back'),
    icon: ArrowLeft,
    action: 'back',
    disabled: !visited.canGoBack,
    run: () => void visited.step(-1),
  },
  {
    label: t('key.forward'),
    icon: ArrowRight,
    action: 'forward',
    disabled: !visited.canGoForward,
    run: () => void visited.step(1),
  },
  'line',
  { label: t('menu.starter'), icon: Sparkles, run: () => dialogs.show({ kind: 'starter' }) },
  { label: t('menu.import'), icon: Download, run: () => void importing.choose() },
  { label: t('menu.export'), icon: Upload, run: () => void importing.export() },
  { label: t('menu.export_everything'), icon: Archive, run: () => void exporting.everything() },
  { label: t('menu.new_folder'), icon: FolderPlus, run: () => dialogs.show({ kind: 'new_folder', parent: null }) },
  'line',
  {
    label: t('tree.hide_read'),
    action: 'hide_read',
    chosen: settings.value.hide_read,
    run: () => settings.change({ hide_read: !settings.value.hide_read }),
  },
  ...(layout.narrow
    ? []
    : [
        {
          label: t('sidebar.hide'),
          action: 'sidebar' as const,
          chosen: settings.value.hide_sidebar,
          run: () => layout.toggleSidebar(),
        },
      ]),
  'line',
  { label: t('rules.open'), icon: ListFilter, action: 'rules', run: () => dialogs.show({ kind: 'rules' }) },
  { label: t('categories.menu'), icon: Shapes, run: () => dialogs.show({ kind: 'categories' }) },
  {
    label: t('view.listening'),
    icon: Headphones,
    action: 'listening',
    run: () => void showSource({ kind: 'listening' }),
  },
  {
    label: t('view.downloads'),
    icon: CloudDownload,
    action: 'downloads',
    run: () => void showSource({ kind: 'downloads' }),
  },
  { label: t('view.noted'), icon: Highlighter, action: 'noted', run: () => void showSource({ kind: 'noted' }) },
  { label: t('menu.hidden'), icon: EyeOff, run: () => void showSource({ kind: 'hidden' }) },
  {
    label: t('statistics.menu'),
    icon: ChartColumn,
    action: 'statistics',
    run: () => dialogs.show({ kind: 'statistics' }),
  },
  ...(attention.feeds.length > 0
    ? [{ label: t('attention.menu'), icon: CircleAlert, run: () => dialogs.show({ kind: 'attention' as const }) }]
    : []),
  'line',
  { label: t('menu.settings'), icon: Settings, action: 'settings', run: () => dialogs.show({ kind: 'settings' }) },
  { label: t('guide.title'), icon: BookOpen, action: 'guide', run: () => dialogs.show({ kind: 'guide' }) },
  { label: t('guide.news'), icon: Gift, run: () => dialogs.show({ kind: 'guide', page: 'news' }) },
  { label: t('menu.keys'), icon: Keyboard, action: 'help', run: () => dialogs.show({ kind: 'keys' }) },
  { label: t('about.title'), icon: Info, run: () => dialogs.show({ kind: 'about' }) },
  'line',
  { label: t('menu.quit'), icon: Power, action: 'quit', run: quit },
];
