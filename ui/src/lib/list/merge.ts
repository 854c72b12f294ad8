import type { ArticleRow, Cursor } from '../ipc';

type Key = Pick<Cursor, 'sort_at' | 'id'>;

/** A row's place in its list, whatever that is sorted by. */
export const placeOf = ({ sort_at, id, feed_id, words }: ArticleRow): Cursor => ({ sort_at, id, feed_id, words });

/** A place just before a row in a list by date: what comes after it begins with the row. */
export const justBefore = (place: Cursor, oldestFirst: boolean): Cursor => ({
  ...place,
  id: place.id + (oldestFirst ? -1 : 1),
});

/** The order of a list: negative where `a` stands above `b`. */
export function compare(a: Key, b: Key, oldestFirst: boolean): number {
  const order = a.sort_at - b.sort_at || a.id - b.id;
  return oldestFirst ? order : -order;
}

export type Merged = {
  readonly rows: ArticleRow[];
  /** The rows that were not there before, in list order. */
  readonly added: ArticleRow[];
};

/**
 * Puts freshly asked rows (in list order) among those shown. Rows already there take the fresh state and keep their place, and none is
 * taken away: what was read a moment ago stays in the Unread view until the reader leaves it.
 * Where the list goes on beyond `rows`, what belongs below its end is left for its own page.
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
      // Its place stays even if the feed changed its date, or the list would jump.
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
 * The same for an order that only the core knows: `fresh` is the list from its top as the core gives it, and what is new there stands
 * behind what it stands behind. Where that is none of what is shown, it belongs to the top.
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

/** Rows that were taken out, where they stood `before`. What else has come in or gone since stays so. */
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
