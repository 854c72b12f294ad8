/** The rows of the sidebar's tree, in the order in which they are seen. */
import type { Feed, Folder, SavedSearch, Source, Tag } from '../../lib/ipc';
import { number, t } from '../../lib/messages';
import { collections } from '../../lib/state/collections.svelte';
import { library } from '../../lib/state/library.svelte';
import type { TreeRow } from '../../lib/tree';

export type Smart = 'today' | 'unread' | 'starred' | 'all';
export const SMART: readonly Smart[] = ['today', 'unread', 'starred', 'all'];

export type Node = {
  readonly key: string;
  readonly label: string;
  /** What it stands above, where it is the first of its kind. */
  readonly heading?: string;
  /** What its number says. */
  readonly count: number;
  readonly badge: string;
  readonly said: string;
  /** Its place among those of the first level; other rows have their own. */
  readonly position?: number;
} & (
  | { readonly kind: 'smart'; readonly smart: Smart; readonly source: Source }
  | { readonly kind: 'search'; readonly search: SavedSearch; readonly source?: undefined }
  | { readonly kind: 'tag'; readonly tag: Tag; readonly source: Source }
  | { readonly kind: 'noted'; readonly source: Source }
  | { readonly kind: 'hidden'; readonly source: Source }
  | { readonly kind: 'row'; readonly row: TreeRow; readonly source: Source }
);

/** Thousands of rows count nothing: for them no words are made. */
const counted = (count: number, said: () => string) =>
  count > 0 ? { count, badge: number(count), said: said() } : { count, badge: '', said: '' };
const unread = (count: number) => counted(count, () => t('sidebar.unread', { count }));

function smartNode(smart: Smart): Node {
  const count = library.counts.smart[smart];
  const told =
    smart === 'starred'
      ? counted(count, () => t('sidebar.starred', { count }))
      : smart === 'all'
        ? counted(count, () => t('sidebar.articles', { count }))
        : unread(count);
  return { kind: 'smart', key: smart, label: t(`view.${smart}`), smart, source: { kind: smart }, ...told };
}

function searchNode(search: SavedSearch): Node {
  const count = search.unread ?? 0;
  const told = search.more
    ? { count, badge: t('order.search.badge', { count }), said: t('order.search.more', { count }) }
    : unread(count);
  return { kind: 'search', key: `search-${search.id}`, label: search.name, search, ...told };
}

const tagNode = (tag: Tag, first: boolean): Node => ({
  kind: 'tag',
  key: `tag-${tag.id}`,
  label: tag.name,
  tag,
  source: { kind: 'tag', id: tag.id },
  heading: first ? t('order.tags') : undefined,
  ...unread(tag.unread),
});

type RowNode = Extract<Node, { kind: 'row' }>;

const newRowNode = (row: TreeRow, first: boolean): RowNode => ({
  kind: 'row',
  key: row.kind === 'folder' ? `folder-${row.folder.id}` : `feed-${row.feed.id}`,
  label: row.kind === 'folder' ? row.folder.name : row.feed.title,
  row,
  source: row.kind === 'folder' ? { kind: 'folder', id: row.folder.id } : { kind: 'feed', id: row.feed.id },
  heading: first ? t('sidebar.feeds') : undefined,
  ...unread(row.unread),
});

/** Of each folder and feed, as they were drawn last. */
const drawn = new WeakMap<Folder | Feed, RowNode>();
const PLACE = ['level', 'position', 'siblings', 'unread', 'parent'] as const;

/** The same as before where nothing of it changed: a key press draws few of thousands of rows anew. */
function rowNode(row: TreeRow, first: boolean): Node {
  const of = row.kind === 'folder' ? row.folder : row.feed;
  const before = drawn.get(of);
  if (before && first === (before.heading !== undefined) && PLACE.every((part) => before.row[part] === row[part]))
    return before;
  const node = newRowNode(row, first);
  drawn.set(of, node);
  return node;
}

/** Views, saved searches, articles with notes and hidden ones where there are any, tags, feeds. */
export function nodes(): Node[] {
  const count = collections.hidden;
  const own: Node[] = [
    ...SMART.map(smartNode),
    ...collections.searches.map(searchNode),
    ...(collections.noted > 0
      ? [
          {
            kind: 'noted',
            key: 'noted',
            label: t('view.noted'),
            source: { kind: 'noted' },
            ...counted(collections.noted, () => t('notes.count', { count: collections.noted })),
          } as const,
        ]
      : []),
    ...(count > 0
      ? [
          {
            kind: 'hidden',
            key: 'hidden',
            label: t('order.hidden'),
            source: { kind: 'hidden' },
            ...counted(count, () => t('order.hidden.count', { count })),
          } as const,
        ]
      : []),
    ...collections.tags.map((tag, i) => tagNode(tag, i === 0)),
  ].map((node, i) => ({ ...node, position: i + 1 }));
  return [...own, ...library.tree.map((row, i) => rowNode(row, i === 0))];
}
