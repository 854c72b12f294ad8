/** What takes a while: refreshing, fetching older articles, importing. */
import type { Feed, ImportSummary, RefreshScope } from '../generated';
import { makeArticle } from './articles';
import type { Fake, Handlers } from './fake';
import { fail, wait } from './library';
import type { FakeRecords } from './records';

export function fakeRuns({ state, library, emit, changed, feedOf }: Fake, records: FakeRecords) {
  const backfills = new Map<number, { cancelled: boolean }>();
  let refreshing: { cancelled: boolean; elsewhere?: boolean } | null = null;
  let importing: { cancelled: boolean } | null = null;

  async function refresh(scope: RefreshScope): Promise<void> {
    const folders = scope.kind === 'folder' ? library.within(scope.id) : null;
    const feeds = library.feeds.filter((feed) =>
      scope.kind === 'all'
        ? true
        : scope.kind === 'feed'
          ? feed.id === scope.id
          : scope.kind === 'feeds'
            ? scope.ids.includes(feed.id)
            : feed.folder_id !== null && folders!.has(feed.folder_id),
    );
    const run = (refreshing = { cancelled: false });
    const progress = {
      running: true,
      done: 0,
      total: feeds.length,
      new_articles: 0,
      failed: 0,
      waiting: 0,
      limited: 0,
      limited_until: null as number | null,
      cancelled: false,
      elsewhere: false,
    };
    for (const feed of feeds) {
      if (run.cancelled) break;
      emit('refresh_progress', { ...progress });
      await wait(state === 'refreshing' ? 900 : 90);
      progress.done++;
      const again = records.allowed(feed.id, Date.now());
      if (again !== null) {
        progress.limited++;
        progress.limited_until = Math.min(progress.limited_until ?? again, again);
        continue;
      }
      records.asked(feed, feed.trouble === null && feed.id % 3 === 0 ? 1 : 0, Date.now());
      if (feed.trouble) progress.failed++;
      else if (feed.id % 3 === 0) {
        library.articles.unshift(makeArticle(library.nextId++, feed, Date.now(), Date.now()));
        progress.new_articles++;
        changed({ articles: true });
      }
    }
    refreshing = null;
    emit('refresh_progress', { ...progress, running: false, cancelled: run.cancelled });
    changed({ structure: true, articles: true });
  }

  /** Feeds with an odd number have an archive of seven pages, the others none. */
  async function backfill(feed: Feed, limit: number): Promise<void> {
    const run = { cancelled: false };
    backfills.set(feed.id, run);
    const progress = { feed_id: feed.id, pages: 0, articles: 0, ended: null };
    const archive = feed.id % 2 === 1 ? 7 : 1;
    while (!run.cancelled && progress.pages < Math.min(limit, archive)) {
      emit('backfill_progress', { ...progress });
      await wait(state === 'refreshing' ? 2500 : 60);
      if (progress.pages++ === 0) continue;
      for (let i = 0; i < 10; i++) {
        const at = Date.now() - (progress.pages * 40 + i) * 86_400_000;
        library.articles.push({ ...makeArticle(library.nextId++, feed, at, Date.now()), read: true });
        progress.articles++;
      }
      library.sort();
      changed({ articles: true });
    }
    backfills.delete(feed.id);
    const kind = run.cancelled
      ? 'cancelled'
      : archive === 1
        ? 'nothing_offered'
        : progress.pages < archive
          ? 'limit'
          : 'whole';
    emit('backfill_progress', { ...progress, ended: { kind } });
  }

  async function importFile(file: string): Promise<void> {
    const run = (importing = { cancelled: false });
    emit('import_progress', { file, phase: 'reading', done: 0, total: 0 });
    await wait(400);
    const total = 200;
    let done = 0;
    for (; done < total && !run.cancelled; done += 4) {
      emit('import_progress', { file, phase: 'subscribing', done, total });
      await wait(state === 'importing' ? 1500 : 40);
    }
    if (library.feeds.length === 0) library.fill(400, false);
    library.firstRun = false;
    importing = null;
    changed({ structure: true, articles: true });
    const summary: ImportSummary = {
      file,
      added: run.cancelled ? done : 183,
      unasked: 0,
      folders_added: 12,
      articles: 0,
      starred: 0,
      known: 0,
      already: Array.from({ length: 14 }, (_, i) => `Feed you had, number ${i + 1}`),
      skipped: [
        { outline: 'Some Dead Blog', reason: 'no xmlUrl, and no address in any other attribute' },
        { outline: 'file:///home/me/feed.xml', reason: 'not a web address' },
        { outline: '(line 418)', reason: 'the outline is not closed' },
      ],
      repairs: [
        '21 bare & were read as &amp;',
        'the text attribute was missing on 4 outlines; title was taken instead',
      ],
      cancelled: run.cancelled,
      archive: null,
      error: null,
    };
    emit('import_finished', summary);
    void refresh({ kind: 'all' });
  }

  const handlers = {
    refresh: (scope) => {
      if (refreshing) throw fail('busy');
      void refresh(scope);
      return null;
    },
    cancel_refresh: () => {
      if (refreshing) refreshing.cancelled = true;
      return null;
    },
    backfill: ({ feed_id, pages }) => {
      if (backfills.has(feed_id)) throw fail('busy');
      void backfill(feedOf(feed_id), pages);
      return null;
    },
    cancel_backfill: ({ feed_id }) => {
      const running = backfills.get(feed_id);
      if (running) running.cancelled = true;
      return null;
    },
    import_opml: () => {
      void importFile('subscriptions.opml');
      return true;
    },
    cancel_import: () => {
      if (importing) importing.cancelled = true;
      return null;
    },
  } satisfies Partial<Handlers>;

  return { refresh, importFile, handlers, running: () => refreshing !== null };
}
