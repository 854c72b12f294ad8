/** Follows the core: the window holds no truth of its own. */
import { acts } from '../article/acts';
import { call, on } from '../ipc';
import { t } from '../messages';
import { ahead } from './ahead.svelte';
import { backfills } from './backfill.svelte';
import { collections } from './collections.svelte';
import { exporting } from './export.svelte';
import { importing } from './import.svelte';
import { library } from './library.svelte';
import { links } from './links.svelte';
import { list } from './list.svelte';
import { notes } from './notes.svelte';
import { refresh } from './refresh.svelte';
import { rules } from './rules.svelte';
import { search } from './search.svelte';
import { settings } from './settings.svelte';
import { toasts } from './toasts.svelte';

/** Listens from now on; the answer ends it. */
export function follow(): () => void {
  let structure = false;
  let articles = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refused = (address: string) => toasts.show(t('toast.link_refused'), { detail: address, trouble: true });

  const look = async () => {
    timer = undefined;
    const [whole, rows] = [structure, articles];
    structure = articles = false;
    if (whole) {
      const was = library.firstRun;
      await library.load();
      list.keepFeeds(library.feedById);
      // The first feeds came in behind the welcome view; where a list is shown already, somebody chose it.
      if (was && !library.firstRun && list.generation === 0) await list.show({ kind: 'all' });
    } else if (rows) await library.loadCounts();
    if (rows || whole) void notes.load();
    if (rows || whole) await list.catchUp();
  };

  const stops = [
    on('library_changed', (change) => {
      structure ||= change.structure;
      articles ||= change.articles;
      timer ??= setTimeout(() => void look(), 150);
    }),
    on('collections', (told) => collections.heard(told)),
    on('refresh_progress', (progress) => (refresh.progress = progress)),
    on('backfill_progress', (progress) => backfills.heard(progress)),
    on('ahead_progress', (progress) => ahead.heard(progress)),
    on('index_progress', (left) => search.heard(left)),
    on('notice', (notice) => {
      const titles = notice.titles.map((title) => title.trim() || t('list.untitled'));
      const told = call('notify', { ...notice, titles, summary: t('rules.notice', { count: notice.articles }) });
      // The articles are in the lists all the same.
      told.catch((error: unknown) => console.warn('notify', error));
    }),
    on('apply_progress', (progress) => rules.heard(progress)),
    on('import_progress', (progress) => (importing.progress = progress)),
    on('import_finished', (summary) => {
      importing.finished(summary);
      // An archive brings the settings of the library that it is of.
      if (summary.archive) void settings.load();
    }),
    on('export_progress', (progress) => exporting.heard(progress)),
    on('files_over', (over) => (importing.over = over)),
    on('link_doubted', (address) => links.asked(address)),
    on('link_refused', refused),
    on('article_act', (address) => {
      if (!acts.heard(address)) refused(address);
    }),
  ];
  return () => {
    clearTimeout(timer);
    stops.forEach((stop) => stop());
  };
}
