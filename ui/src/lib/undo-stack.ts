/** What can be taken back, newest first. Bounded: nobody walks back through a day. */
export class UndoStack<T> {
  private entries: T[] = [];

  constructor(private readonly limit = 100) {}

  get size(): number {
    return this.entries.length;
  }

  /** Puts it on top, or right below another that is still there. */
  push(entry: T, above?: T): void {
    const at = above === undefined ? -1 : this.entries.lastIndexOf(above);
    this.entries.splice(at < 0 ? this.entries.length : at, 0, entry);
    if (this.entries.length > this.limit) this.entries.shift();
  }

  pop(): T | undefined {
    return this.entries.pop();
  }

  /** Takes one out of turn (its toast's button was pressed); false where it is gone already. */
  take(entry: T): boolean {
    const index = this.entries.lastIndexOf(entry);
    if (index < 0) return false;
    this.entries.splice(index, 1);
    return true;
  }
}
