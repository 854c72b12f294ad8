/**
 * Marks that a loading page may not contain: marks are shown before the core has saved them. They are remembered
 * while requests are pending and applied to the loaded rows.
 */
export class PendingMarks<Change extends object> {
  private readonly marks = new Map<number, Change>();
  private pending = 0;

  /** Remembers marks until the request is finished. */
  async during<T>(send: () => Promise<T>): Promise<T> {
    this.pending++;
    try {
      return await send();
    } finally {
      if (--this.pending === 0) this.marks.clear();
    }
  }

  /** Clears all marks: ids refer to other rows now. */
  forget(): void {
    this.marks.clear();
  }

  mark(changes: ReadonlyMap<number, Change>): void {
    if (this.pending === 0) return;
    for (const [id, change] of changes) this.marks.set(id, { ...this.marks.get(id), ...change });
  }

  applyTo<Row extends { readonly id: number }>(rows: readonly Row[]): Row[] {
    return rows.map((row) => ({ ...row, ...this.marks.get(row.id) }));
  }
}
