/** Saves one after the other. Of those that wait only the last is done: what the others wished is in it. */
export class Saves {
  private newest = 0;
  private left = 0;
  private under: Promise<void> = Promise.resolve();

  ask(save: () => Promise<void>): Promise<void> {
    const mine = ++this.newest;
    this.left++;
    this.under = this.under.then(() => (mine === this.newest ? save() : undefined)).finally(() => this.left--);
    return this.under;
  }

  /** What the library says, unless it is being told otherwise: then nothing. */
  async settled<T>(read: () => Promise<T>): Promise<T | null> {
    const { newest } = this;
    if (this.left > 0) return null;
    const found = await read();
    return newest === this.newest ? found : null;
  }
}
