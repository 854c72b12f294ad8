/** Applies events of the core to the window's state. */
import { pageActions } from '../article/page-actions';
import { on } from '../ipc';
import { t } from '../messages';
import { accounts } from './accounts.svelte';
import { reading } from './article.svelte';
import { offline } from './offline.svelte';
import { backfills } from './backfill.svelte';
import { collections } from './collections.svelte';
import { copyText } from './feeds';
import { dialogs } from './dialogs.svelte';
import { exporting } from './export.svelte';
import { importing } from './import.svelte';
import { episodes } from './episodes.svelte';
import { library } from './library.svelte';
import { sharing } from './sharing.svelte';
import { suspiciousLinks } from './suspicious-links.svelte';
import { list } from './list.svelte';
import { markedOutside } from './marks';
import { openArticle, showSearch, showSource } from './navigation';
import { notes } from './notes.svelte';
import { playQueue } from './play-queue.svelte';
import { quit } from './quit';
import { refresh } from './refresh.svelte';
import { rules } from './rules.svelte';
import { pageMenu } from './page-menu.svelte';
import { search } from './search.svelte';
import { settings } from './settings.svelte';
import { sidebar } from './sidebar.svelte';
import { toasts } from './toasts.svelte';
import { update } from './update.svelte';
import { TEXT_ORDERS } from './views.svelte';

/** Rarely needed at start. */
const imports = async () => (await import('./import-results.svelte')).importResults;

/** Starts listening. Returns a function that stops it. */
export function listenToCore(): () => void {
  let structureChanged = false;
  let articlesChanged = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** New articles of a list by title or author: sorting it for each batch would take long, so they wait for the end of a refresh. */
  let waiting = false;

  const reportRefused = (address: string) => toasts.show(t('toast.link_refused'), { detail: address, isError: true });

  const applyChanges = async () => {
    timer = undefined;
    const [whole, rows] = [structureChanged, articlesChanged];
    structureChanged = articlesChanged = false;
    if (whole) {
      void sharing.load();
      const was = library.firstRun;
      await sidebar.reload();
      // The first feeds were added behind the welcome view. If a list is shown already, the user chose it.
      if (was && !library.firstRun && list.generation === 0) {
        // The element that had the focus is gone when the dialog with the results closes.
        dialogs.home = () => document.querySelector<HTMLElement>('[data-pane="list"] [role="listbox"]');
        await list.show({ kind: 'all' });
      }
    } else if (rows) await library.loadCounts();
    if (rows || whole) void notes.load();
    // Articles in it may be deleted.
    if ((rows || whole) && playQueue.all.length > 0) void playQueue.load();
    if (!rows && !whole) return;
    void reading.lookForUpdate();
    waiting = refresh.running && TEXT_ORDERS.includes(list.view.order);
    if (!waiting) await list.catchUp();
  };

  const stops = [
    on('library_changed', (change) => {
      structureChanged ||= change.structure;
      articlesChanged ||= change.articles;
      timer ??= setTimeout(() => void applyChanges(), 150);
    }),
    on('collections', (notified) => collections.update(notified)),
    on('refresh_progress', (progress) => {
      refresh.onProgress(progress);
      if (progress.running || !waiting) return;
      waiting = false;
      void list.catchUp();
    }),
    on('refresh_failed', (error) => {
      // Its numbers would say that there are no new articles.
      refresh.onProgress(null);
      toasts.error(error);
    }),
    on('sync_progress', (progress) => accounts.onProgress(progress)),
    on('backfill_progress', (progress) => backfills.onProgress(progress)),
    on('offline_progress', (progress) => offline.onProgress(progress)),
    on('episodes_changed', (all) => episodes.onChanged(all)),
    on('episode_progress', (progress) => episodes.onProgress(progress)),
    on('index_progress', (left) => search.onIndexed(left)),
    on('article_requested', ({ id }) => {
      dialogs.close();
      void openArticle(id);
    }),
    on('list_requested', ({ source, search: query }) => {
      dialogs.close();
      void (query === null ? showSource(source) : showSearch(query, false));
    }),
    on('close_requested', (tray) => dialogs.show({ kind: 'close', tray })),
    on('quit_requested', () => void quit()),
    on('update_progress', (progress) => update.onProgress(progress)),
    on('program_updated', () => update.onInstalled()),
    on('settings_changed', (value) => settings.changedOutside(value)),
    on('marked_outside', (marked) => markedOutside(marked)),
    on('sharing_changed', (services) => (sharing.services = services)),
    on('apply_progress', (progress) => rules.onProgress(progress)),
    on('import_progress', (progress) => (importing.progress = progress)),
    on('import_prepared', (previews) => void imports().then((results) => results.onPrepared(previews))),
    on('import_finished', (summary) => {
      void imports().then((results) => results.onFinished(summary));
      // An archive also contains settings.
      if (summary.archive) void settings.load();
    }),
    on('export_progress', (progress) => exporting.onProgress(progress)),
    on('files_dragged_over', (over) => (importing.draggedOver = over)),
    on('article_window_closed', ({ id }) => suspiciousLinks.removed(`window-${id}`)),
    on('suspicious_link_clicked', (address) => suspiciousLinks.clicked(address)),
    on('link_refused', reportRefused),
    on('browser_failed', (address) =>
      toasts.show(t(address.startsWith('mailto:') ? 'toast.mail_failed' : 'toast.browser_failed'), {
        detail: address,
        isError: true,
        action: { label: t('menu.copy_link'), run: () => void copyText(address) },
      }),
    ),
    on('address_received', (address) => {
      importing.draggedOver = false;
      dialogs.show({ kind: 'add', address, search: true });
    }),
    on('feed_files_received', (candidates) => {
      importing.draggedOver = false;
      dialogs.show({ kind: 'add', candidates });
    }),
    on('page_menu_requested', ({ x, y }) => pageMenu.requestedByWebKit({ x: x * innerWidth, y: y * innerHeight })),
    on('article_action', (address) => {
      if (!pageActions.handle(address)) reportRefused(address);
    }),
  ];
  return () => {
    clearTimeout(timer);
    stops.forEach((stop) => stop());
  };
}
