/** A bounded stack of undo steps, newest first. */
export class UndoStack<T> {
  private entries: T[] = [];

  constructor(private readonly limit = 100) {}

  get size(): number {
    return this.entries.length;
  }

  get top(): T | undefined {
    return this.entries.at(-1);
  }

  has(entry: T): boolean {
    return this.entries.includes(entry);
  }

  /** Pushes a step on top, or directly below another one if that is still on the stack. */
  push(entry: T, above?: T): void {
    const at = above === undefined ? -1 : this.entries.lastIndexOf(above);
    this.entries.splice(at < 0 ? this.entries.length : at, 0, entry);
    if (this.entries.length > this.limit) this.entries.shift();
  }

  /** Returns the step directly above another one. */
  above(entry: T): T | undefined {
    const index = this.entries.lastIndexOf(entry);
    return index < 0 ? undefined : this.entries[index + 1];
  }

  pop(): T | undefined {
    return this.entries.pop();
  }

  /** Removes a step from anywhere in the stack; returns false if it is gone. */
  take(entry: T): boolean {
    const index = this.entries.lastIndexOf(entry);
    if (index < 0) return false;
    this.entries.splice(index, 1);
    return true;
  }
}
