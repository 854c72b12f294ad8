/** What is done with feeds and folders. */
import type { RefreshScope } from '../generated';
import { badCertificate, type FakeAccess } from './access';
import { makeArticle } from './articles';
import { discover, STARTERS } from './discovery';
import type { Fake, Handlers } from './fake';
import { clone, fail, thrown } from './library';
import type { FakeRecords } from './records';

type Refreshing = { running: () => boolean; refresh: (scope: RefreshScope) => Promise<void> };

/** Takes some out of their order, and puts them before one, or at the end. */
function put<T extends { id: number }>(all: T[], ids: number[], before: number | null, moved: (one: T) => T): T[] {
  const going = ids.flatMap((id) => all.filter((one) => one.id === id)).map(moved);
  const from = all.findIndex((one) => one.id === before);
  const stays = (one: T) => !ids.includes(one.id);
  if (from < 0) return [...all.filter(stays), ...going];
  return [...all.slice(0, from).filter(stays), ...going, ...all.slice(from).filter(stays)];
}

export function feedHandlers(
  { library, changed, undoable, feedOf }: Fake,
  access: FakeAccess,
  records: FakeRecords,
  { running, refresh }: Refreshing,
) {
  let searching: (() => void) | null = null;
  const folderOf = (id: number) => library.folders.find((folder) => folder.id === id) ?? thrown(fail('not_found'));

  return {
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
    arrange: ({ feeds, folders, parent_id, before_feed, before_folder }) => {
      const before = { feeds: clone(library.feeds), folders: clone(library.folders) };
      for (let at = parent_id; at !== null; at = folderOf(at).parent_id)
        if (folders.includes(at)) throw fail('invalid_input', 'a folder cannot be put into itself');
      library.feeds = put(library.feeds, feeds, before_feed, (feed) => ({ ...feed, folder_id: parent_id }));
      library.folders = put(library.folders, folders, before_folder, (folder) => ({ ...folder, parent_id }));
      changed({ structure: true });
      return { undo: undoable(() => Object.assign(library, before)) };
    },
    unsubscribe: ({ feed_ids }) => {
      const { feeds, articles } = library;
      library.feeds = feeds.filter((feed) => !feed_ids.includes(feed.id));
      library.articles = articles.filter((article) => !feed_ids.includes(article.feed_id));
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
    traffic: () => records.traffic(library.feeds, Date.now()),
    feed_record: ({ feed_id }) => records.of(feedOf(feed_id), Date.now()),
    change_feed_address: ({ feed_id, url }) => {
      const feed = feedOf(feed_id);
      if (!URL.canParse(url)) throw fail('invalid_address');
      if (library.feeds.some((other) => other.url === url)) throw fail('already_subscribed');
      const { url: from, remedies, trouble } = feed;
      const back = records.move(feed_id);
      // Where the user put it, it did not move.
      Object.assign(feed, { url, trouble: null, remedies: [] });
      changed({ structure: true });
      if (!running()) void refresh({ kind: 'feed', id: feed_id });
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
  } satisfies Partial<Handlers>;
}
