/**
 * The core's stand-in for a plain browser: a library in memory, with latency and every trouble there is.
 * `?state=` chooses what it holds: many (the default), huge, empty, first-run, refreshing, importing, failing, refusing,
 * library-newer, library-read-only, library-damaged. `?latency=ms` slows it down, `?lang=de` chooses its words, `?keyring=none` has no keyring,
 * `?backups=none` no backups. It is never part of what is shipped.
 */
import type { Core } from '..';
import type { Settings } from '../generated';
import { FakeAccess } from './access';
import { FakeAhead } from './ahead';
import { makeArticle, openArticle } from './articles';
import { FakeBackups } from './backups';
import { beside } from './beside';
import { FakeCollections } from './collections';
import { exports } from './exports';
import type { Fake, Handlers } from './fake';
import { feedHandlers } from './feeds';
import { inspectHandlers } from './inspect';
import { compare, FakeKeeping } from './keeping';
import { clone, fail, FakeLibrary, thrown, wait } from './library';
import { FakeNotes } from './notes';
import { FakePreferences } from './preferences';
import { FakeRecords } from './records';
import { FakeRules } from './rules';
import { fakeRuns } from './runs';
import { find } from './search';

export function fakeCore(): Core {
  const params = new URLSearchParams(globalThis.location?.search ?? '');
  const state = params.get('state') ?? 'many';
  const latency = Number(params.get('latency') ?? 30);
  const library = new FakeLibrary();
  const records = new FakeRecords();
  const access = new FakeAccess(params.get('keyring') !== 'none');
  const backups = new FakeBackups(library, state === 'library-damaged', params.get('backups') === 'none');
  const preferences: FakePreferences = new FakePreferences(library, () => ahead.settings);
  const ahead = new FakeAhead(
    library,
    wait,
    (feed) => preferences.holding(feed),
    (feed) => preferences.says(feed, 'full_text_when'),
    (progress) => emit('ahead_progress', progress),
  );
  const keeping = new FakeKeeping(library);
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const undo = new Map<number, () => void>();
  let step = 0;

  if (state === 'first-run') library.firstRun = true;
  else if (state !== 'empty') library.fill(state === 'huge' ? 100_000 : 2_000, state === 'failing');
  const collections = new FakeCollections(library);
  library.tagged = (id) => collections.tagged(id);
  const notes = new FakeNotes(library);
  if (state === 'many') {
    collections.fill();
    notes.fill();
  }
  library.begin(params);

  const emit: Fake['emit'] = (name, payload) => listeners.get(name)?.forEach((handler) => handler(payload));
  const changed: Fake['changed'] = (what) => {
    emit('library_changed', { structure: false, articles: false, ...what });
    emit('collections', collections.told());
  };
  const undoable: Fake['undoable'] = (back) => {
    undo.set(++step, back);
    return step;
  };
  const rules = new FakeRules(library, undoable, (progress) => emit('apply_progress', progress));
  const feedOf: Fake['feedOf'] = (id) => library.feeds.find((feed) => feed.id === id) ?? thrown(fail('not_found'));
  const fake: Fake = { state, library, emit, changed, undoable, feedOf };
  const runs = fakeRuns(fake, records);

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
      };
    },
    hear: () => null,
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
    views: () => library.views,
    save_view: (view) => {
      if (state === 'refusing') throw fail('disk_full');
      const name = JSON.stringify(view.source);
      library.views = [...library.views.filter(({ source }) => JSON.stringify(source) !== name), view];
      return null;
    },
    article_addresses: ({ ids }) =>
      ids.flatMap((id) => {
        const article = library.articles.find((one) => one.id === id);
        return (article && openArticle(article).url) ?? [];
      }),
    search: (asked) => find(library.articles.filter(library.matches({ kind: 'all' })), asked),
    open_article: ({ id }) => ahead.opened(id),
    compare_versions: ({ id }) =>
      compare(openArticle(library.articles.find((article) => article.id === id) ?? thrown(fail('not_found')))),
    ...ahead.handlers(),
    ...preferences.handlers(
      (feed, minutes) => records.wish(feed, minutes, Date.now()),
      () => changed({ structure: true }),
    ),
    open_in_browser: () => null,
    ...beside(() => wait(10 * latency)),
    open_in_background: () => null,
    article_markdown: ({ id }) => `# ${library.articles.find((article) => article.id === id)?.title ?? ''}\n`,
    doubt_links: () => null,
    open_doubted: () => null,
    mark: ({ ids, ...wish }) => {
      if (state === 'refusing') throw fail('disk_full');
      const wanted = new Set(ids);
      const before = library.articles
        .filter((a) => wanted.has(a.id))
        .map((a) => ({ article: a, was: { read: a.read, starred: a.starred, hidden: a.hidden, kept: a.kept } }));
      const marks = Object.fromEntries(Object.entries(wish).filter(([, on]) => on !== null));
      for (const { article } of before) Object.assign(article, marks);
      emit('collections', collections.told());
      return {
        count: before.length,
        undo: undoable(() => before.forEach((old) => Object.assign(old.article, old.was))),
      };
    },
    mark_all_read: ({ source, order, scope, received_before }) => {
      if (state === 'refusing') throw fail('disk_full');
      const matches = library.matches(source);
      const place = library.places(order);
      const done = library.articles.filter(
        (a) =>
          !a.read &&
          matches(a) &&
          (received_before === null || a.received <= received_before) &&
          (scope.kind === 'all' || (scope.kind === 'above' ? place(a, scope.cursor) < 0 : place(a, scope.cursor) > 0)),
      );
      done.forEach((a) => (a.read = true));
      emit('collections', collections.told());
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
    export_opml: () => '/home/you/Documents/gleaner.opml',
    ...runs.handlers,
    ...feedHandlers(fake, access, records, runs),
    ...inspectHandlers(fake, records),
    ...collections.handlers(undoable),
    ...notes.handlers(undoable, () => emit('collections', collections.told())),
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

  if (state === 'refreshing') setTimeout(() => void runs.refresh({ kind: 'all' }), 300);
  if (state === 'importing') setTimeout(() => void runs.importFile('subscriptions.opml'), 300);
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
