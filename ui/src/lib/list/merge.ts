import type { ArticleRow, Cursor } from '../ipc';

/** The order of a list: negative where `a` stands above `b`. */
export function compare(a: Cursor, b: Cursor, oldestFirst: boolean): number {
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
