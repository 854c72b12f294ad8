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
  /** The rows that were removed one after the other, each with the one that took its place. */
  private removed: { readonly key: string; readonly heir: string }[] = [];

  /**
   * Called with the keys of all rows when they change. Returns the new tab stop if `current` was removed, or if the row
   * whose place it took is back. Rows that another text of `search` hides or shows take nothing back.
   */
  update(keys: readonly string[], current: string, search = ''): string | undefined {
    const before = this.keys;
    const isSame = search === this.search;
    if (!isSame) this.removed = [];
    this.search = search;
    const last = this.removed.at(-1);
    this.keys = keys;
    // Otherwise the user has moved on.
    if (last?.heir !== current) this.removed = [];
    if (!keys.includes(current)) {
      const heir = successor(current, before, keys);
      if (heir !== undefined && isSame) this.removed.push({ key: current, heir });
      return heir;
    }
    if (last?.heir !== current || !keys.includes(last.key)) return undefined;
    this.removed.pop();
    return last.key;
  }
}
