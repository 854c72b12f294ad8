/**
 * Runs saves one after the other. If several are waiting, only the last one runs, because it contains the changes of the others.
 */
export class SaveQueue {
  private newest = 0;
  private left = 0;
  private under: Promise<void> = Promise.resolve();

  enqueue(save: () => Promise<void>): Promise<void> {
    const mine = ++this.newest;
    this.left++;
    this.under = this.under.then(() => (mine === this.newest ? save() : undefined)).finally(() => this.left--);
    return this.under;
  }

  /** Resolves once nothing waits or runs. */
  get done(): Promise<void> {
    return this.under;
  }

  /** Reads a stored value; returns `null` if a save has started meanwhile. */
  async readSettled<T>(read: () => Promise<T>): Promise<T | null> {
    const { newest } = this;
    if (this.left > 0) return null;
    const found = await read();
    return newest === this.newest ? found : null;
  }
}
