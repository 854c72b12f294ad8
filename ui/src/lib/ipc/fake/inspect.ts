/** What the fake's feeds say of themselves, and what its reader read. */
import type { Feed, FeedReport, ReportField } from '../generated';
import type { Fake, Handlers } from './fake';
import type { FakeRecords } from './records';

const DAY = 86_400_000;
const WEEKS = 53;

function feedFields(feed: Feed): ReportField[] {
  const said: Record<string, string | null> = {
    authors: null,
    'categories[0].key': 'technology',
    'categories[0].term': 'Technology',
    cloud: null,
    description: `What ${feed.title} has to say, once a day or so.`,
    feed_url: feed.url,
    'generator.name': 'Static 4.2',
    'generator.url': 'https://static.example/',
    home_url: new URL('/', feed.url).href,
    hubs: null,
    image: null,
    language: 'en-gb',
    rights: '© the authors',
    skip_days: 'saturday, sunday',
    title: feed.title,
    ttl_minutes: '60',
    updated: '2026-11-22T08:15:00Z',
    web_master: null,
  };
  return Object.entries(said).map(([name, value]) => ({ name, value }));
}

function report(feed: Feed, now: number, whole: boolean, titles: readonly string[]): FeedReport {
  const broken = feed.id % 3 === 0;
  const item = (title: string, at: number) => ({
    title,
    fields: [
      { name: 'content_html', value: `<p>${title}, told at length.</p>` },
      { name: 'content_kind', value: 'full' },
      { name: 'id', value: `${feed.url}#${at}` },
      { name: 'published', value: new Date(now - at * DAY).toISOString() },
      { name: 'rights', value: null },
      { name: 'title', value: title },
      { name: 'word_count', value: String(200 + at) },
    ],
  });
  return {
    at: whole ? now : now - 0.3 * DAY,
    format: feed.id % 4 === 0 ? 'atom-1.0' : 'rss-2.0',
    encoding: broken ? 'windows-1252' : 'utf-8',
    encoding_from: broken ? 'detected' : 'http',
    well_formed: !broken,
    repairs: broken
      ? [
          {
            kind: 'bare-ampersand',
            line: 4,
            column: 16,
            detail: '&',
            text: '<title>Boats & nets</title>',
            at: 13,
          },
          {
            kind: 'undefined-entity',
            line: 128,
            column: 40,
            detail: '&nbsp;',
            text: '<description>the harbour&nbsp;was quiet, and nobody was about to mend a net</description>',
            at: 24,
          },
          { kind: 'truncated', line: 901, column: 1, detail: 'the document ends inside an element', text: '', at: 0 },
        ]
      : [],
    repairs_total: broken ? 3 : 0,
    feed: feedFields(feed),
    items: whole ? titles.map(item) : [],
    items_total: titles.length,
  };
}

export function inspectHandlers({ library, feedOf }: Fake, records: FakeRecords) {
  const of = (id: number) => library.articles.filter((article) => article.feed_id === id);
  const titles = (id: number) =>
    of(id)
      .slice(0, 60)
      .map(({ title }) => title);

  return {
    inspection: ({ feed_id }) => {
      const now = Date.now();
      const feed = feedOf(feed_id);
      const weeks_from = new Date(now).setHours(24, 0, 0, 0) - WEEKS * 7 * DAY;
      const moments = of(feed_id).map((article) => article.sort_at);
      const weeks = Array.from({ length: WEEKS }, (_, week) => {
        const from = weeks_from + week * 7 * DAY;
        return moments.filter((moment) => moment >= from && moment < from + 7 * DAY).length;
      });
      const known = feed.trouble === null;
      return {
        report: known ? report(feed, now, false, titles(feed_id)) : null,
        postings: moments.slice(0, 500),
        weeks_from,
        weeks,
      };
    },
    inspect_feed: ({ feed_id }) => {
      const now = Date.now();
      const feed = feedOf(feed_id);
      if (records.allowed(feed_id, now) !== null) return null;
      records.asked(feed, 0, now);
      return feed.trouble ? null : report(feed, now, true, titles(feed_id));
    },
    statistics: ({ days }) => {
      const now = Date.now();
      const from = now - days * DAY;
      const since = now - 60 * DAY;
      const begun = Math.max(from, since);
      const hours = Array.from({ length: Math.floor((now - begun) / (DAY / 4)) }, (_, i) => {
        const at = begun + (i * DAY) / 4;
        return { at: at - (at % 3_600_000), articles: (i * 7) % 5 };
      }).filter(({ articles }) => articles > 0);
      const feeds = library.feeds
        .filter((feed) => !feed.local)
        .map((feed) => {
          const came = of(feed.id).filter((article) => article.sort_at >= from);
          const newest = of(feed.id)[0]?.sort_at ?? null;
          const silent = feed.remedies.some(({ kind }) => kind === 'silent');
          return {
            feed_id: feed.id,
            articles: silent ? 0 : came.length,
            unread: came.filter(({ read }) => !read).length,
            opened: silent || feed.id % 5 === 2 ? 0 : Math.floor(came.length / (2 + (feed.id % 4))),
            starred: feed.id % 5 === 2 ? 0 : 1,
            newest: silent ? now - 700 * DAY : newest,
          };
        });
      return { from, since, hours, feeds };
    },
  } satisfies Partial<Handlers>;
}
