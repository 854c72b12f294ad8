/**
 * What the window knows better than a page of rows: a mark is shown before the core has it, and a page may have been read before that.
 * Marks are remembered while anything is asked, and go over the rows that come meanwhile.
 */
export class Known<Change extends object> {
  private readonly marks = new Map<number, Change>();
  private asked = 0;

  /** Until the answer comes, marks are remembered. */
  async during<T>(ask: () => Promise<T>): Promise<T> {
    this.asked++;
    try {
      return await ask();
    } finally {
      if (--this.asked === 0) this.marks.clear();
    }
  }

  /** Numbers mean other rows now. */
  forget(): void {
    this.marks.clear();
  }

  mark(changes: ReadonlyMap<number, Change>): void {
    if (this.asked === 0) return;
    for (const [id, change] of changes) this.marks.set(id, { ...this.marks.get(id), ...change });
  }

  over<Row extends { readonly id: number }>(rows: readonly Row[]): Row[] {
    return rows.map((row) => ({ ...row, ...this.marks.get(row.id) }));
  }
}
