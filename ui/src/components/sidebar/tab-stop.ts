/**
 * Returns the key of the row that takes the place of a removed one: the next one that stays, else the previous one.
 */
export function successor(key: string, before: readonly string[], now: readonly string[]): string | undefined {
  const at = before.indexOf(key);
  const there = new Set(now);
  const stays = (one: string) => there.has(one);
  return at < 0 ? undefined : (before.slice(at + 1).find(stays) ?? before.slice(0, at).findLast(stays));
}

/** Follows the tab stop of a tree while rows are removed and restored. */
export class TabStop {
  private keys: readonly string[] = [];
  private search = '';
  /** The row that was removed, and the one that took its place. */
  private removed: { readonly key: string; readonly heir: string } | null = null;

  /**
   * Called with the keys of all rows when they change. Returns the new tab stop if `current` was removed, or if the row
   * whose place it took is back. Rows that another text of `search` hides or shows take nothing back.
   */
  update(keys: readonly string[], current: string, search = ''): string | undefined {
    const before = this.keys;
    const isSame = search === this.search;
    if (!isSame) this.removed = null;
    this.search = search;
    const { removed } = this;
    this.keys = keys;
    if (!keys.includes(current)) {
      const heir = successor(current, before, keys);
      this.removed = heir === undefined || !isSame ? null : { key: current, heir };
      return heir;
    }
    // Otherwise the user has moved on.
    const isHeir = removed?.heir === current;
    if (isHeir && !keys.includes(removed.key)) return undefined;
    this.removed = null;
    return isHeir ? removed.key : undefined;
  }
}
