/** Finds the rows of a list by id. */
export class RowIndex {
  private rows: readonly { readonly id: number }[] | null = null;
  private readonly byId = new Map<number, number>();

  /** Returns the place of a row, or -1. */
  of(rows: readonly { readonly id: number }[], id: number): number {
    if (this.rows !== rows) this.update(rows);
    return this.byId.get(id) ?? -1;
  }

  /** Called with rows that have the same ids in the same places. */
  keep(rows: readonly { readonly id: number }[]): void {
    this.rows = rows;
  }

  /** Extends the index on append: rebuilding it for each page would make a long scroll slow. */
  private update(rows: readonly { readonly id: number }[]): void {
    const { rows: before, byId } = this;
    const isLonger = before !== null && rows[before.length - 1] === before.at(-1) && byId.size === before.length;
    if (!isLonger) byId.clear();
    for (let i = byId.size; i < rows.length; i++) byId.set(rows[i]!.id, i);
    this.rows = rows;
  }
}
