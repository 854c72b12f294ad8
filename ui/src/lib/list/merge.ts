/** Merges freshly loaded rows into the displayed list, and compares places in lists. */
import type { ArticleRow, Cursor } from '../ipc';

type Key = Pick<Cursor, 'sort_at' | 'id'>;

/** Returns the cursor of a row, for any order. */
export const placeOf = ({ sort_at, id, feed_id, length }: ArticleRow): Cursor => ({ sort_at, id, feed_id, length });

/** Returns a cursor just before a row in a list by date. */
export const justBefore = (place: Cursor, oldestFirst: boolean): Cursor => ({
  ...place,
  id: place.id + (oldestFirst ? -1 : 1),
});

/** Compares two rows in list order: negative if `a` is above `b`. */
export function compare(a: Key, b: Key, oldestFirst: boolean): number {
  const order = a.sort_at - b.sort_at || a.id - b.id;
  return oldestFirst ? order : -order;
}

export type Merged = {
  readonly rows: ArticleRow[];
  /** New rows in list order. */
  readonly added: ArticleRow[];
};

/**
 * Merges freshly loaded rows (in list order) into the displayed ones. Existing rows are updated in place, and none is
 * removed: a row that was just read stays in the Unread list until the user leaves it.
 * If the list continues below `rows`, new rows below its end are left for later pages.
 */
export function merge(
  rows: readonly ArticleRow[],
  fresh: readonly ArticleRow[],
  oldestFirst: boolean,
  goesOn: boolean,
): Merged {
  const shown = new Map(rows.map((row, index) => [row.id, index]));
  const result = rows.slice();
  const last = rows.at(-1);
  const added: ArticleRow[] = [];
  for (const row of fresh) {
    const index = shown.get(row.id);
    if (index !== undefined) {
      const old = rows[index] as ArticleRow;
      // A row keeps its position if the feed changes its date, or the list would jump.
      result[index] = { ...row, sort_at: old.sort_at };
    } else if (!goesOn || !last || compare(row, last, oldestFirst) < 0) {
      added.push(row);
    }
  }
  if (added.length === 0) return { rows: result, added };
  const woven: ArticleRow[] = [];
  let next = 0;
  for (const row of result) {
    while (next < added.length && compare(added[next] as ArticleRow, row, oldestFirst) < 0)
      woven.push(added[next++] as ArticleRow);
    woven.push(row);
  }
  while (next < added.length) woven.push(added[next++] as ArticleRow);
  return { rows: woven, added };
}

/**
 * Like `merge`, for an order that only the core knows: `fresh` is the list from its top, and a new row is inserted
 * after the same row as there. If that row is not displayed, it goes to the top.
 */
export function weave(rows: readonly ArticleRow[], fresh: readonly ArticleRow[]): Merged {
  const now = new Map(fresh.map((row) => [row.id, row]));
  const shown = new Set(rows.map((row) => row.id));
  const added: ArticleRow[] = [];
  const behind = new Map<number | null, ArticleRow[]>();
  let anchor: number | null = null;
  for (const row of fresh) {
    if (shown.has(row.id)) anchor = row.id;
    else {
      added.push(row);
      behind.set(anchor, [...(behind.get(anchor) ?? []), row]);
    }
  }
  const woven = [...(behind.get(null) ?? [])];
  for (const row of rows) woven.push(now.get(row.id) ?? row, ...(behind.get(row.id) ?? []));
  return { rows: woven, added };
}

/** Restores removed rows at their position in `before`, keeping later changes of the list. */
export function putBack(
  rows: readonly ArticleRow[],
  before: readonly ArticleRow[],
  gone: ReadonlySet<number>,
): ArticleRow[] {
  const shown = new Map(rows.map((row) => [row.id, row]));
  return weave(
    rows,
    before.flatMap((row) => shown.get(row.id) ?? (gone.has(row.id) ? row : [])),
  ).rows;
}
