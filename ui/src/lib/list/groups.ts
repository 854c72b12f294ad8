/** Groups of a list: by feed, by day. */
import type { ArticleRow, Grouping } from '../ipc';

/** The rows under one heading; `end` is exclusive. */
export type Group = { readonly key: string; readonly start: number; readonly end: number };

/** The day that was asked for last, in Unix milliseconds: the rows of a day follow each other, and making its name takes long. */
let day = { from: 0, until: 0, name: '' };

function dayOf(ms: number): string {
  if (ms >= day.from && ms < day.until) return day.name;
  const date = new Date(ms);
  const [year, month, number] = [date.getFullYear(), date.getMonth(), date.getDate()];
  day = {
    from: new Date(year, month, number).getTime(),
    until: new Date(year, month, number + 1).getTime(),
    name: date.toDateString(),
  };
  return day.name;
}

/** Returns the group of a row, consistent with the list's order. */
const keyOf = (row: ArticleRow, grouping: Grouping): string =>
  grouping === 'day' ? dayOf(row.sort_at) : grouping === 'feed' ? String(row.feed_id) : '';

/** Groups a list in its order; without grouping all rows form one group. */
export function groups(rows: readonly ArticleRow[], grouping: Grouping): Group[] {
  if (rows.length === 0) return [];
  if (grouping === 'none') return [{ key: '', start: 0, end: rows.length }];
  const found: Group[] = [];
  let start = 0;
  let key = keyOf(rows[0] as ArticleRow, grouping);
  for (let i = 1; i <= rows.length; i++) {
    const row = rows[i];
    const next = row && keyOf(row, grouping);
    if (next === key) continue;
    found.push({ key, start, end: i });
    [start, key] = [i, next ?? ''];
  }
  return found;
}

/** Returns the groups that contain the given rows. */
export const among = (all: readonly Group[], start: number, end: number): Group[] =>
  all.filter((group) => group.start < end && group.end > start);
