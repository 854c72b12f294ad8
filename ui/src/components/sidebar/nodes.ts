/** Rows of the sidebar's tree in display order. */
import type { Feed, Folder, LanguageView, SavedSearch, Source, Tag } from '../../lib/ipc';
import { formatLocale, number, t } from '../../lib/messages';
import { errorText } from '../../lib/messages/errors';
import { suggestionText } from '../../lib/messages/suggestions';
import { distinctTitle } from '../../lib/feed-names';
import { fold } from '../../lib/fold';
import { collections } from '../../lib/state/collections.svelte';
import { episodes } from '../../lib/state/episodes.svelte';
import { library } from '../../lib/state/library.svelte';
import { proposalOf } from '../../lib/state/attention.svelte';
import { settings } from '../../lib/state/settings.svelte';
import { sidebar } from '../../lib/state/sidebar.svelte';
import { views } from '../../lib/state/views.svelte';
import type { TreeRow } from '../../lib/tree';

type Smart = 'today' | 'unread' | 'starred' | 'all';
/** Lists that are shown only while they have articles. */
type Own = 'listening' | 'downloads' | 'noted' | 'hidden';
type Section = 'tags' | 'languages';
const SMART: readonly Smart[] = ['today', 'unread', 'starred', 'all'];

export type Node = {
  readonly key: string;
  readonly label: string;
  /** Heading above the row, if it is the first of its kind. */
  readonly heading?: string;
  /** The number on the row. */
  readonly count: number;
  readonly badge: string;
  readonly countText: string;
  /** Position among the rows of the first level; other rows have their own. */
  readonly position?: number;
} & (
  | { readonly kind: 'smart'; readonly smart: Smart; readonly source: Source }
  | { readonly kind: 'search'; readonly search: SavedSearch; readonly source?: undefined }
  | { readonly kind: 'tag'; readonly tag: Tag; readonly siblings: number; readonly source: Source }
  | { readonly kind: Own; readonly source: Source }
  /** Heading of the tags or the languages, which collapses and expands them. */
  | { readonly kind: 'section'; readonly key: Section; readonly open: boolean; readonly source?: undefined }
  | {
      readonly kind: 'language';
      readonly language: LanguageView;
      readonly siblings: number;
      readonly source?: undefined;
    }
  | { readonly kind: 'row'; readonly row: TreeRow; readonly source: Source }
);

/** Whether a row is the section of an account. */
const isAccount = (row: TreeRow): boolean =>
  row.kind === 'folder' && row.parent === null && row.folder.account !== undefined;

/** Text of a feed's badge: its error, if it has lasted for a while, or else a suggestion. */
export function badgeText(feed: Feed): string {
  if (feed.error?.needs_attention) return t('sidebar.feed_error', { what: errorText(feed.error.error).what });
  const proposal = proposalOf(feed);
  return proposal ? suggestionText(feed, proposal).what : '';
}

/** Most rows have no count: build the text only when needed. */
const counted = (count: number, countText: () => string) =>
  count > 0 ? { count, badge: number(count), countText: countText() } : { count, badge: '', countText: '' };
/** Numbers in the sidebar are unread articles. Totals are named only: for screen readers, and in the list's header. */
const total = (count: number, countText: () => string) => ({ ...counted(count, countText), badge: '' });
const unread = (count: number) => counted(count, () => t('sidebar.unread', { count }));

/** Removes the count of a list read as a river. */
export const withoutCount = (node: Node): Node =>
  node.source && views.isRiver(node.source) ? { ...node, ...unread(0) } : node;

function smartNode(smart: Smart): Node {
  const count = library.counts.smart[smart];
  const countParts =
    smart === 'starred'
      ? total(count, () => t('sidebar.starred', { count }))
      : smart === 'all'
        ? total(count, () => t('sidebar.articles', { count }))
        : unread(count);
  return { kind: 'smart', key: smart, label: t(`view.${smart}`), smart, source: { kind: smart }, ...countParts };
}

function searchNode(search: SavedSearch): Node {
  const count = search.unread ?? 0;
  const countParts = search.more
    ? { count, badge: t('order.search.badge', { count }), countText: t('order.search.more', { count }) }
    : unread(count);
  return { kind: 'search', key: `search-${search.id}`, label: search.name, search, ...countParts };
}

/** Returns the row of a section, and below it its other rows unless it is collapsed. */
function section(key: Section, label: string, collapsed: boolean, rows: readonly Node[]): Node[] {
  const open = !collapsed || sidebar.filterText !== '';
  return [{ kind: 'section', key, label, open, ...unread(0) }, ...(open ? rows : [])];
}

function tagNodes(tags: readonly Tag[]): Node[] {
  if (tags.length === 0) return [];
  const one = (tag: Tag, i: number): Node => ({
    kind: 'tag',
    key: `tag-${tag.id}`,
    label: tag.name,
    tag,
    siblings: tags.length,
    position: i + 1,
    source: { kind: 'tag', id: tag.id },
    ...unread(tag.unread),
  });
  return section('tags', t('order.tags'), settings.value.collapse_tags, tags.map(one));
}

/** Name of a language in the interface language. */
function languageName(tag: string): string {
  const name = new Intl.DisplayNames([formatLocale()], { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(formatLocale()) + name.slice(1);
}

/** Languages of articles, if there are several. */
function languageNodes(languages: readonly LanguageView[]): Node[] {
  if (languages.length < 2) return [];
  const siblings = languages.length;
  const one = (language: LanguageView, i: number): Node => {
    const { tag, unread: count, more } = language;
    const countParts = more
      ? { count, badge: t('order.search.badge', { count }), countText: t('order.search.more', { count }) }
      : unread(count);
    const label = languageName(tag);
    return { kind: 'language', key: `language-${tag}`, label, language, siblings, position: i + 1, ...countParts };
  };
  return section('languages', t('tree.languages'), settings.value.collapse_languages, languages.map(one));
}

/** Returns the section that contains a row. */
export const sectionOf = ({ kind }: Node): Section | undefined =>
  kind === 'tag' ? 'tags' : kind === 'language' ? 'languages' : undefined;

type RowNode = Extract<Node, { kind: 'row' }>;

const labelOf = (row: TreeRow): string =>
  row.kind === 'folder' ? row.folder.name : distinctTitle(row.feed, library.sharedTitles);

const newRowNode = (row: TreeRow, heading: string | undefined): RowNode => ({
  kind: 'row',
  key: row.kind === 'folder' ? `folder-${row.folder.id}` : `feed-${row.feed.id}`,
  label: labelOf(row),
  row,
  source: row.kind === 'folder' ? { kind: 'folder', id: row.folder.id } : { kind: 'feed', id: row.feed.id },
  heading,
  ...unread(row.unread),
});

/** Cache of drawn rows by folder or feed. */
let drawn = new WeakMap<Folder | Feed, RowNode>();
/** The locale of the cached rows. */
let drawnIn = '';
const PLACE = ['level', 'position', 'siblings', 'unread', 'parent'] as const;

/** Reuses an unchanged row, so that a key press redraws few of thousands. */
function rowNode(row: TreeRow, heading: string | undefined): Node {
  const of = row.kind === 'folder' ? row.folder : row.feed;
  const locale = formatLocale();
  if (drawnIn !== locale) [drawn, drawnIn] = [new WeakMap(), locale];
  const before = drawn.get(of);
  const isSame = (one: RowNode) =>
    heading === one.heading && one.label === labelOf(row) && PLACE.every((part) => one.row[part] === row[part]);
  if (before && isSame(before)) return before;
  const node = newRowNode(row, heading);
  drawn.set(of, node);
  return node;
}

/** Returns the row of a list that is shown only while it has articles. */
const ownNode = (kind: Own, label: string, count: number, countText: () => string): Node[] =>
  count > 0 ? [{ kind, key: kind, label, source: { kind }, ...total(count, countText) }] : [];

/** Returns the rows above the feeds: views, episodes, saved searches, notes and hidden articles, tags, languages. */
function ownNodes(): Node[] {
  const { searches, tags, notes_and_hidden, languages } = settings.value.sidebar_sections;
  const { listening, noted, hidden } = collections;
  const { articles: downloads } = episodes;
  return [
    ...SMART.map(smartNode),
    ...ownNode('listening', t('view.listening'), listening, () => t('listening.count', { count: listening })),
    ...ownNode('downloads', t('view.downloads'), downloads, () => t('downloads.count', { count: downloads })),
    ...(searches ? collections.searches.map(searchNode) : []),
    ...(notes_and_hidden
      ? [
          ...ownNode('noted', t('view.noted'), noted, () => t('notes.count', { count: noted })),
          ...ownNode('hidden', t('order.hidden'), hidden, () => t('order.hidden.count', { count: hidden })),
        ]
      : []),
    ...(tags ? tagNodes(collections.tags) : []),
    ...(languages ? languageNodes(collections.languages) : []),
  ];
}

/** Returns the rows whose names match the filter, and the sections that contain some. */
function filtered(all: readonly Node[]): readonly Node[] {
  const { filterText } = sidebar;
  if (filterText === '') return all;
  const found = new Set(all.filter((node) => fold(node.label).includes(filterText) || sidebar.staysFound(node.key)));
  const sections = new Set([...found].map(sectionOf));
  return all.filter((node) => (node.kind === 'section' ? sections.has(node.key) : found.has(node)));
}

/** Returns all rows. */
export function nodes(): Node[] {
  let position = 0;
  const own = filtered(ownNodes()).map((node) => (sectionOf(node) ? node : { ...node, position: ++position }));
  const accounts = sidebar.tree.findIndex(isAccount);
  const headingOf = (i: number) => (i === accounts ? t('accounts.title') : i === 0 ? t('sidebar.feeds') : undefined);
  return [...own, ...sidebar.tree.map((row, i) => rowNode(row, headingOf(i)))];
}
