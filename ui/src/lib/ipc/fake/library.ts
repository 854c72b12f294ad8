/** The in-memory library: what it holds, and how lists are asked of it. */
import type {
  ArticlePage,
  ArticleRow,
  Counts,
  Cursor,
  ErrorCode,
  Feed,
  Folder,
  IpcError,
  Language,
  ListOrder,
  ListQuery,
  Remedy,
  Settings,
  Source,
  Trouble,
  View,
} from '../generated';
import { LANGUAGES } from '../../messages/languages';
import { makeArticle, type FakeArticle } from './articles';
import { icon, SUBJECTS } from './words';

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export const fail = (code: ErrorCode, detail: string | null = null, message = `fake: ${code}`): IpcError => ({
  code,
  message,
  detail,
});

export function thrown(error: unknown): never {
  throw error;
}

export const clone = <T>(value: T): T => (value === undefined || value === null ? value : structuredClone(value));

const HOUR = 3_600_000;

export class FakeLibrary {
  folders: Folder[] = [];
  feeds: Feed[] = [];
  /** Newest first. */
  articles: FakeArticle[] = [];
  firstRun = false;
  nextId = 1;
  views: View[] = [];
  settings: Settings = {
    theme: 'system',
    language: 'system',
    text_scale: 1,
    sidebar_width: 248,
    list_width: 372,
    list_layout: 'panes',
    unread_only: false,
    oldest_first: false,
    hide_read: false,
    fold_languages: false,
    feed_icons: true,
    read_on_scroll: false,
    load_images: true,
    thumbnails: true,
    full_text: 'never',
    playback_speed: 1,
    one_story: true,
    hold_future: false,
    versions_kept: 20,
    refresh_automatically: true,
    article: { font: 'serif', size: 1, width: 66, leading: 1.62, hyphens: true, css: '' },
    key_preset: 'gleaner',
    keys: {},
  };

  fill(count: number, everyFeedFails: boolean): void {
    const now = Date.now();
    for (const subject of SUBJECTS) {
      let folderId: number | null = null;
      if (subject.name) {
        folderId = this.nextId++;
        const parent = this.folders.find((folder) => folder.name === subject.parent);
        this.folders.push({
          id: folderId,
          parent_id: parent?.id ?? null,
          name: subject.name,
          open: subject.name !== 'News',
        });
      }
      for (const [title, host] of subject.feeds) this.addFeed(title, `https://${host}/feed.xml`, folderId);
    }
    const troubles: [number, Trouble][] = [
      [
        3,
        { error: fail('http_status', '410', 'The server answered 410 Gone.'), since: now - 9 * 24 * HOUR, next: null },
      ],
      [8, { error: fail('host_not_found', 'gridnotes.example'), since: now - 3 * HOUR, next: now + 5 * HOUR }],
      [
        12,
        { error: fail('tls', 'the certificate ended on 1 November'), since: now - 20 * 24 * HOUR, next: now + HOUR },
      ],
      [
        13,
        {
          error: fail('http_status', '503', 'The server answered 503 Service Unavailable.'),
          since: now - 9 * 24 * HOUR,
          next: now + 20 * HOUR,
        },
      ],
      [17, { error: fail('parked', 'old-host.example'), since: now - 30 * HOUR, next: now + HOUR }],
      [15, { error: fail('not_a_feed', 'a web page'), since: now - 2 * HOUR, next: now + HOUR }],
    ];
    for (const [index, trouble] of troubles) {
      const feed = this.feeds[index];
      if (feed) feed.trouble = trouble;
    }
    if (everyFeedFails) {
      for (const feed of this.feeds) feed.trouble = { error: fail('offline'), since: now - HOUR, next: now + HOUR };
    }
    this.propose(now);
    for (let i = 0; i < count; i++) {
      const feed = this.feeds[(i * 7 + (i % 5) * 3) % this.feeds.length];
      if (feed)
        this.articles.push(makeArticle(this.nextId++, feed, now - i * 0.4 * HOUR * (1 + (i % 3)) - i * 60_000, now));
    }
    for (const feed of this.feeds) {
      const silent = feed.remedies.find((remedy) => remedy.kind === 'silent');
      if (!silent) continue;
      const own = this.articles.filter((article) => article.feed_id === feed.id);
      const late = (own[0]?.sort_at ?? 0) - silent.since;
      for (const article of own) {
        article.sort_at -= late;
        article.published = article.sort_at;
        article.received = article.sort_at;
        article.read = true;
      }
    }
    this.sort();
  }

  /** What can be done about some of the feeds. */
  private propose(now: number): void {
    const remedies: [number, Remedy[]][] = [
      [3, [{ kind: 'gone' }]],
      [4, [{ kind: 'follow', to: 'https://trees.example/posts/feed.xml', answers: 2 }]],
      [5, [{ kind: 'merge', feed_id: this.feeds[6]?.id ?? 0, title: this.feeds[6]?.title ?? '' }]],
      [9, [{ kind: 'silent', since: now - 760 * 24 * HOUR }]],
      [12, [{ kind: 'certificate' }]],
      [13, [{ kind: 'attention' }, { kind: 'moved', from: 'http://old-matin.example/rss' }]],
      [15, [{ kind: 'switch', to: 'https://another.example/feed.xml', title: 'Another feed' }, { kind: 'not_a_feed' }]],
      [17, [{ kind: 'parked' }]],
      [21, [{ kind: 'moved', from: 'http://feeds.old-host.example/pilgrimage?format=xml' }]],
    ];
    for (const [index, proposed] of remedies) {
      const feed = this.feeds[index];
      if (feed) feed.remedies = proposed;
    }
  }

  sort(): void {
    this.articles.sort((a, b) => b.sort_at - a.sort_at || b.id - a.id);
  }

  addFeed(title: string, url: string, folderId: number | null): Feed {
    const id = this.nextId++;
    const feed: Feed = {
      id,
      folder_id: folderId,
      title,
      url,
      home_url: new URL(url).origin,
      icon: id % 3 === 0 ? icon(id) : null,
      load_images: null,
      local: false,
      trouble: null,
      remedies: [],
      checked: Date.now() - 0.5 * HOUR,
    };
    this.feeds.push(feed);
    return feed;
  }

  /** The settings that an address asks for. */
  begin(params: URLSearchParams): void {
    const theme = params.get('theme');
    if (theme === 'light' || theme === 'dark' || theme === 'sepia' || theme === 'contrast') this.settings.theme = theme;
    const language = params.get('lang');
    if (language && language in LANGUAGES) this.settings.language = language as Language;
    if (params.has('scale')) this.settings.text_scale = Number(params.get('scale'));
    if (params.get('images') === 'off') this.settings.load_images = false;
  }

  /** Which articles have a tag. */
  tagged: (id: number) => (article: FakeArticle) => boolean = () => () => false;

  /** A folder's id and those of all folders in it. */
  within(folderId: number): Set<number> {
    const ids = new Set([folderId]);
    for (const folder of this.folders) if (folder.parent_id !== null && ids.has(folder.parent_id)) ids.add(folder.id);
    return ids;
  }

  matches(source: Source): (article: FakeArticle) => boolean {
    if (source.kind === 'hidden') return (article) => article.hidden;
    const shown = this.inSource(source);
    return (article) => !article.hidden && shown(article);
  }

  /** Which articles have notes. */
  noted: (article: FakeArticle) => boolean = () => false;

  private inSource(source: Exclude<Source, { kind: 'hidden' }>): (article: FakeArticle) => boolean {
    const midnight = new Date().setHours(0, 0, 0, 0);
    switch (source.kind) {
      case 'today':
        return (article) => article.sort_at >= midnight;
      case 'unread':
        return (article) => !article.read;
      case 'starred':
        return (article) => article.starred;
      case 'all':
        return () => true;
      case 'noted':
        return this.noted;
      case 'tag':
        return this.tagged(source.id);
      case 'feed':
        return (article) => article.feed_id === source.id;
      case 'folder': {
        const folders = this.within(source.id);
        const feeds = new Set(
          this.feeds.filter((feed) => feed.folder_id !== null && folders.has(feed.folder_id)).map((feed) => feed.id),
        );
        return (article) => feeds.has(article.feed_id);
      }
    }
  }

  /** Compares places in a list of this order. */
  places(order: ListOrder): (a: Cursor, b: Cursor) => number {
    const newest = (a: Cursor, b: Cursor) => b.sort_at - a.sort_at || b.id - a.id;
    const long = (a: Cursor, b: Cursor) => b.words - a.words || b.id - a.id;
    const title = (id: number) => this.feeds.find((feed) => feed.id === id)?.title ?? '';
    const posts = new Map<number, number>();
    for (const { feed_id } of this.articles) posts.set(feed_id, (posts.get(feed_id) ?? 0) + 1);
    const rarity = (id: number) => posts.get(id) ?? 0;
    switch (order) {
      case 'newest':
        return newest;
      case 'oldest':
        return (a, b) => newest(b, a);
      case 'by_feed':
        return (a, b) => title(a.feed_id).localeCompare(title(b.feed_id)) || a.feed_id - b.feed_id || newest(a, b);
      case 'rare_first':
        return (a, b) => rarity(a.feed_id) - rarity(b.feed_id) || a.feed_id - b.feed_id || newest(a, b);
      case 'longest':
        return long;
      case 'shortest':
        return (a, b) => long(b, a);
    }
  }

  page(query: ListQuery): ArticlePage {
    const matches = this.matches(query.source);
    let list = this.articles.filter((article) => matches(article) && (!query.unread_only || !article.read));
    const place = this.places(query.order);
    list = list.toSorted(place);
    const { after, before, limit } = query;
    if (before) {
      const newer = list.filter((article) => place(article, before) < 0);
      return { rows: newer.slice(-limit).map(row), more: newer.length > limit };
    }
    if (after) list = list.filter((article) => place(article, after) > 0);
    return { rows: list.slice(0, limit).map(row), more: list.length > limit };
  }

  counts(): Counts {
    const unread = new Map<number, number>();
    const midnight = new Date().setHours(0, 0, 0, 0);
    const shown = this.articles.filter((article) => !article.hidden);
    const smart = { today: 0, unread: 0, starred: 0, all: shown.length };
    for (const article of shown) {
      if (article.starred) smart.starred++;
      if (article.read) continue;
      smart.unread++;
      if (article.sort_at >= midnight) smart.today++;
      unread.set(article.feed_id, (unread.get(article.feed_id) ?? 0) + 1);
    }
    return { smart, unread: [...unread].map(([feed_id, count]) => ({ feed_id, unread: count })) };
  }
}

const HIDDEN: ReadonlySet<string> = new Set([
  'feed_title',
  'host',
  'received',
  'hidden',
  'kept',
  'tags',
  'progress',
] satisfies (keyof FakeArticle)[]);

/** What the core would send of an article in a list. */
export function row(article: FakeArticle): ArticleRow {
  return Object.fromEntries(Object.entries(article).filter(([key]) => !HIDDEN.has(key))) as ArticleRow;
}
