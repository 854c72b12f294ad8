/** The rows of the sidebar's tree, in the order in which they are seen. */
import type { SavedSearch, Source, Tag } from '../../lib/ipc';
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
  | { readonly kind: 'hidden'; readonly source: Source }
  | { readonly kind: 'row'; readonly row: TreeRow; readonly source: Source }
);

const counted = (count: number, said: string) => ({ count, badge: number(count), said: count > 0 ? said : '' });
const unread = (count: number) => counted(count, t('sidebar.unread', { count }));

function smartNode(smart: Smart): Node {
  const count = library.counts.smart[smart];
  const told =
    smart === 'starred'
      ? counted(count, t('sidebar.starred', { count }))
      : smart === 'all'
        ? counted(count, t('sidebar.articles', { count }))
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

const rowNode = (row: TreeRow, first: boolean): Node => ({
  kind: 'row',
  key: row.kind === 'folder' ? `folder-${row.folder.id}` : `feed-${row.feed.id}`,
  label: row.kind === 'folder' ? row.folder.name : row.feed.title,
  row,
  source: row.kind === 'folder' ? { kind: 'folder', id: row.folder.id } : { kind: 'feed', id: row.feed.id },
  heading: first ? t('sidebar.feeds') : undefined,
  ...unread(row.unread),
});

/** Views, saved searches, hidden articles where there are any, tags, feeds. */
export function nodes(): Node[] {
  const count = collections.hidden;
  const own: Node[] = [
    ...SMART.map(smartNode),
    ...collections.searches.map(searchNode),
    ...(count > 0
      ? [
          {
            kind: 'hidden',
            key: 'hidden',
            label: t('order.hidden'),
            source: { kind: 'hidden' },
            ...counted(count, t('order.hidden.count', { count })),
          } as const,
        ]
      : []),
    ...collections.tags.map((tag, i) => tagNode(tag, i === 0)),
  ].map((node, i) => ({ ...node, position: i + 1 }));
  return [...own, ...library.tree.map((row, i) => rowNode(row, i === 0))];
}
