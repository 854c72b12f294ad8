/** The row of a tree that the Tab key reaches. */
import { successor } from '../../lib/successor';

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
