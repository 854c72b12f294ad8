/**
 * The core's stand-in for a plain browser: a library in memory, with latency and every trouble there is.
 * `?state=` chooses what it holds: many (the default), huge, empty, first-run, refreshing, importing, failing, refusing,
 * library-newer, library-read-only, library-damaged. `?latency=ms` slows it down, `?keyring=none` has no keyring,
 * `?backups=none` no backups. It is never part of what is shipped.
 */
// long: one table of all commands.
import type { Core } from '..';
import type { Commands, Events, Feed, ImportSummary, LibraryChanged, RefreshScope, Settings } from '../generated';
import { badCertificate, FakeAccess } from './access';
import { FakeAhead } from './ahead';
import { makeArticle, openArticle } from './articles';
import { FakeBackups } from './backups';
import { FakeCollections } from './collections';
import { discover, STARTERS } from './discovery';
import { compare, FakeKeeping } from './keeping';
import { exports } from './exports';
import { clone, fail, FakeLibrary, thrown } from './library';
import { FakeRecords } from './records';
import { FakeRules } from './rules';
import { find } from './search';

type Handlers = {
  [N in keyof Commands]: (args: Commands[N]['args']) => Commands[N]['result'] | Promise<Commands[N]['result']>;
};

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function fakeCore(): Core {
  const params = new URLSearchParams(globalThis.location?.search ?? '');
  const state = params.get('state') ?? 'many';
  const latency = Number(params.get('latency') ?? 30);
  const library = new FakeLibrary();
  const records = new FakeRecords();
  const access = new FakeAccess(params.get('keyring') !== 'none');
  const backups = new FakeBackups(library, state === 'library-damaged', params.get('backups') === 'none');
  const ahead = new FakeAhead(library, wait, (progress) => emit('ahead_progress', progress));
  const keeping = new FakeKeeping(library);
  const backfills = new Map<number, { cancelled: boolean }>();
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const undo = new Map<number, () => void>();
  let step = 0;
  let refreshing: { cancelled: boolean; elsewhere?: boolean } | null = null;
  let importing: { cancelled: boolean } | null = null;
  let searching: (() => void) | null = null;

  if (state === 'first-run') library.firstRun = true;
  else if (state !== 'empty') library.fill(state === 'huge' ? 100_000 : 2_000, state === 'failing');
  const collections = new FakeCollections(library);
  library.tagged = (id) => collections.tagged(id);
  if (state === 'many') collections.fill();
  library.begin(params);

  const emit = <N extends keyof Events>(name: N, payload: Events[N]) =>
    listeners.get(name)?.forEach((handler) => handler(payload));
  const changed = (what: Partial<LibraryChanged>) => {
    emit('library_changed', { structure: false, articles: false, ...what });
    emit('collections', collections.told());
  };
  const undoable = (back: () => void) => {
    undo.set(++step, back);
    return step;
  };
  const rules = new FakeRules(library, undoable, (progress) => emit('apply_progress', progress));
  const feedOf = (id: number) => library.feeds.find((feed) => feed.id === id) ?? thrown(fail('not_found'));
  const folderOf = (id: number) => library.folders.find((folder) => folder.id === id) ?? thrown(fail('not_found'));

  async function refresh(scope: RefreshScope): Promise<void> {
    const folders = scope.kind === 'folder' ? library.within(scope.id) : null;
    const feeds = library.feeds.filter((feed) =>
      scope.kind === 'all'
        ? true
        : scope.kind === 'feed'
          ? feed.id === scope.id
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

  const handlers: Handlers = {
    overview: () => {
      if (state === 'library-newer')
        throw fail('library_newer', '/home/you/.local/share/net.gleaner.Gleaner', 'schema 7 is newer than 3');
      if (state === 'library-read-only')
        throw fail(
          'library_read_only',
          '/home/you/.local/share/net.gleaner.Gleaner',
          'Permission denied (os error 13)',
        );
      if (backups.damaged) throw fail('library_damaged', backups.list().folder, 'file is not a database (code 26)');
      return {
        folders: clone(library.folders),
        feeds: clone(library.feeds),
        counts: library.counts(),
        first_run: library.firstRun,
        refresh: null,
      };
    },
    counts: () => library.counts(),
    leave_welcome: () => {
      library.firstRun = false;
      const feed = library.addFeed('Welcome to Gleaner', 'https://welcome.example/feed.xml', null);
      feed.local = true;
      const now = Date.now();
      for (let i = 0; i < 6; i++) library.articles.push(makeArticle(library.nextId++, feed, now - i * 60_000, now));
      changed({ structure: true, articles: true });
      return null;
    },
    articles: (query) => library.page(query),
    search: (asked) => find(library.articles.filter(library.matches({ kind: 'all' })), asked),
    open_article: ({ id }) => ahead.opened(id),
    compare_versions: ({ id }) =>
      compare(openArticle(library.articles.find((article) => article.id === id) ?? thrown(fail('not_found')))),
    ...ahead.handlers(),
    open_in_browser: () => null,
    mark: ({ ids, ...wish }) => {
      if (state === 'refusing') throw fail('disk_full');
      const wanted = new Set(ids);
      const before = library.articles
        .filter((a) => wanted.has(a.id))
        .map((a) => ({ article: a, was: { read: a.read, starred: a.starred, hidden: a.hidden, kept: a.kept } }));
      const marks = Object.fromEntries(Object.entries(wish).filter(([, on]) => on !== null));
      for (const { article } of before) Object.assign(article, marks);
      changed({ articles: true });
      return {
        count: before.length,
        undo: undoable(() => before.forEach((old) => Object.assign(old.article, old.was))),
      };
    },
    mark_all_read: ({ source, oldest_first, scope, received_before }) => {
      if (state === 'refusing') throw fail('disk_full');
      const matches = library.matches(source);
      const sign = oldest_first ? 1 : -1;
      const place = (a: { sort_at: number; id: number }, b: { sort_at: number; id: number }) =>
        sign * (a.sort_at - b.sort_at || a.id - b.id);
      const done = library.articles.filter(
        (a) =>
          !a.read &&
          matches(a) &&
          (received_before === null || a.received <= received_before) &&
          (scope.kind === 'all' || (scope.kind === 'above' ? place(a, scope.cursor) < 0 : place(a, scope.cursor) > 0)),
      );
      done.forEach((a) => (a.read = true));
      changed({ articles: true });
      return { count: done.length, undo: undoable(() => done.forEach((a) => (a.read = false))) };
    },
    undo: ({ undo: id }) => {
      const back = undo.get(id);
      if (!back) throw fail('not_found');
      undo.delete(id);
      back();
      changed({ structure: true, articles: true });
      return null;
    },
    discover: ({ address, reach }) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          try {
            resolve(discover(address, reach, library));
          } catch (error) {
            reject(error);
          }
        }, 900);
        searching = () => {
          clearTimeout(timer);
          reject(fail('internal', null, 'cancelled'));
        };
      }),
    cancel_discover: () => {
      searching?.();
      return null;
    },
    pick_feed_file: () => ({
      url: 'file:///home/you/feeds/own.xml',
      title: 'A feed of my own',
      kind: 'RSS 2.0',
      description: null,
      home_url: null,
      latest: [{ title: 'What I wrote down', published: Date.now() }],
      subscribed: library.feeds.find((feed) => feed.url === 'file:///home/you/feeds/own.xml')?.id ?? null,
    }),
    subscribe: ({ url, title, folder, reach }) => {
      if (library.feeds.some((feed) => feed.url === url)) throw fail('already_subscribed');
      access.check(reach);
      let folderId = folder.kind === 'existing' ? folder.id : null;
      if (folder.kind === 'new') {
        folderId = library.nextId++;
        library.folders.push({ id: folderId, parent_id: null, name: folder.name, open: true });
      }
      const feed = library.addFeed(title || new URL(url).host, url, folderId);
      if (reach) access.found(feed, reach);
      library.firstRun = false;
      for (let i = 0; i < 5; i++)
        library.articles.unshift(makeArticle(library.nextId++, feed, Date.now() - i * 9e5, Date.now()));
      library.sort();
      changed({ structure: true, articles: true });
      return { feed_id: feed.id };
    },
    starter_feeds: () => STARTERS,
    subscribe_many: ({ urls }) => {
      const made = STARTERS.flatMap((subject) => {
        const feeds = subject.feeds.filter((feed) => urls.includes(feed.url));
        if (feeds.length === 0) return [];
        const id = library.nextId++;
        library.folders.push({ id, parent_id: null, name: subject.name, open: true });
        return feeds.map((feed) => ({ feed_id: library.addFeed(feed.title, feed.url, id).id }));
      });
      library.firstRun = false;
      changed({ structure: true });
      void refresh({ kind: 'all' });
      return made;
    },
    rename_feed: ({ feed_id, title }) => {
      const feed = feedOf(feed_id);
      feed.title = title || new URL(feed.url).host;
      changed({ structure: true });
      return null;
    },
    move_feed: ({ feed_id, folder_id }) => {
      feedOf(feed_id).folder_id = folder_id;
      changed({ structure: true });
      return null;
    },
    unsubscribe: ({ feed_id }) => {
      const { feeds, articles } = library;
      library.feeds = feeds.filter((feed) => feed.id !== feed_id);
      library.articles = articles.filter((article) => article.feed_id !== feed_id);
      changed({ structure: true, articles: true });
      return { undo: undoable(() => Object.assign(library, { feeds, articles })) };
    },
    create_folder: ({ name, parent_id }) => {
      const id = library.nextId++;
      library.folders.push({ id, parent_id, name, open: true });
      changed({ structure: true });
      return { folder_id: id };
    },
    rename_folder: ({ folder_id, name }) => {
      folderOf(folder_id).name = name;
      changed({ structure: true });
      return null;
    },
    move_folder: ({ folder_id, parent_id }) => {
      folderOf(folder_id).parent_id = parent_id;
      changed({ structure: true });
      return null;
    },
    set_folder_open: ({ folder_id, open }) => {
      folderOf(folder_id).open = open;
      return null;
    },
    delete_folder: ({ folder_id }) => {
      const { folders } = library;
      const { parent_id } = folderOf(folder_id);
      const moved = library.feeds.filter((feed) => feed.folder_id === folder_id);
      const children = folders.filter((folder) => folder.parent_id === folder_id);
      moved.forEach((feed) => (feed.folder_id = parent_id));
      children.forEach((folder) => (folder.parent_id = parent_id));
      library.folders = folders.filter((folder) => folder.id !== folder_id);
      changed({ structure: true });
      return {
        undo: undoable(() => {
          library.folders = folders;
          moved.forEach((feed) => (feed.folder_id = folder_id));
          children.forEach((folder) => (folder.parent_id = folder_id));
        }),
      };
    },
    refresh: (scope) => {
      if (refreshing) throw fail('busy');
      void refresh(scope);
      return null;
    },
    cancel_refresh: () => {
      if (refreshing) refreshing.cancelled = true;
      return null;
    },
    traffic: () => records.traffic(library.feeds, Date.now()),
    feed_record: ({ feed_id }) => records.of(feedOf(feed_id), Date.now()),
    set_refresh_interval: ({ feed_id, minutes }) => {
      records.wish(feedOf(feed_id), minutes, Date.now());
      changed({ structure: true });
      return null;
    },
    change_feed_address: ({ feed_id, url }) => {
      const feed = feedOf(feed_id);
      if (!URL.canParse(url)) throw fail('invalid_address');
      if (library.feeds.some((other) => other.url === url)) throw fail('already_subscribed');
      const { url: from, remedies, trouble } = feed;
      const back = records.move(feed_id);
      // Where the user put it, it did not move.
      Object.assign(feed, { url, trouble: null, remedies: [] });
      changed({ structure: true });
      if (!refreshing) void refresh({ kind: 'feed', id: feed_id });
      return {
        undo: undoable(() => {
          Object.assign(feed, { url: from, remedies, trouble });
          back();
        }),
      };
    },
    merge_feeds: ({ feed_id, into }) => {
      const { feeds } = library;
      const going = feedOf(feed_id);
      const staying = feedOf(into);
      const moved = library.articles.filter((article) => article.feed_id === feed_id);
      const belong = (feed: typeof going) => () =>
        moved.forEach((article) => Object.assign(article, { feed_id: feed.id, feed_title: feed.title }));
      belong(staying)();
      library.feeds = feeds.filter((feed) => feed !== going);
      changed({ structure: true, articles: true });
      return {
        undo: undoable(() => {
          library.feeds = feeds;
          belong(going)();
        }),
      };
    },
    feed_access: ({ feed_id }) => access.of(feedOf(feed_id)),
    set_access: (wish) => {
      const back = access.set(feedOf(wish.feed_id), wish);
      changed({ structure: true });
      return { undo: undoable(back) };
    },
    feed_certificate: ({ feed_id }) => {
      const feed = feedOf(feed_id);
      return feed.trouble?.error.code === 'tls' ? badCertificate(feed.url) : null;
    },
    accept_certificate: (args) => {
      const feed = feedOf(args.feed_id);
      const { trouble, remedies } = feed;
      const back = access.accept(feed, args);
      if (args.fingerprint !== null) Object.assign(feed, { trouble: null, remedies: [] });
      changed({ structure: true });
      return {
        undo: undoable(() => {
          back();
          Object.assign(feed, { trouble, remedies });
        }),
      };
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
    look_for_feed: ({ feed_id }) => {
      const feed = feedOf(feed_id);
      const to = new URL('/another.xml', feed.url).href;
      feed.remedies = [{ kind: 'switch', to, title: `${feed.title}, anew` }, ...feed.remedies];
      changed({ structure: true });
      return null;
    },
    keep_silent_feed: ({ feed_id }) => {
      const feed = feedOf(feed_id);
      const { remedies } = feed;
      feed.remedies = remedies.filter(({ kind }) => kind !== 'silent');
      changed({ structure: true });
      return { undo: undoable(() => (feed.remedies = remedies)) };
    },
    import_opml: () => {
      void importFile('subscriptions.opml');
      return true;
    },
    cancel_import: () => {
      if (importing) importing.cancelled = true;
      return null;
    },
    export_opml: () => '/home/you/Documents/gleaner.opml',
    ...collections.handlers(undoable),
    ...exports,
    ...backups.handlers((times) => wait(times * latency)),
    ...rules.handlers(() => wait(4 * latency)),
    ...keeping.handlers(() => changed({ articles: true }), undoable),
    settings: () => ({ ...library.settings }),
    save_settings: (settings: Settings) => {
      library.settings = { ...settings };
      return null;
    },
  };

  if (state === 'refreshing') setTimeout(() => void refresh({ kind: 'all' }), 300);
  if (state === 'importing') setTimeout(() => void importFile('subscriptions.opml'), 300);
  // For tests in a plain browser: what the shell would send by itself.
  Object.assign(globalThis, { __gleanerFake: { emit, library, arrive: (count: number) => arrive(count) } });

  function arrive(count: number): void {
    for (let i = 0; i < count; i++) {
      const feed = library.feeds[i % library.feeds.length];
      if (feed)
        library.articles.unshift({ ...makeArticle(library.nextId++, feed, Date.now(), Date.now()), read: false });
    }
    changed({ articles: true });
  }

  return {
    async call(name, args) {
      await wait(latency);
      const handler = handlers[name] as (args: unknown) => unknown;
      return clone(await handler(args));
    },
    async on(name, handler) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(handler));
      return () => set.delete(handler);
    },
  };
}
