import { asIpcError, call, type Article, type IpcError } from '../ipc';

/** The article in the reading pane. */
class Reading {
  /** Asked for; `article` follows. */
  id = $state<number | null>(null);
  article = $state.raw<Article | null>(null);
  error = $state.raw<IpcError | null>(null);
  /** Pictures for this article only, where the settings say none. */
  pictures = $state(false);

  readonly loading = $derived(this.id !== null && this.article?.id !== this.id && this.error === null);

  async open(id: number): Promise<void> {
    if (this.id === id && this.error === null) return;
    this.id = id;
    this.error = null;
    this.pictures = false;
    try {
      const article = await call('open_article', { id });
      // The one asked for last wins, however fast j is pressed.
      if (this.id === id) this.article = article;
    } catch (error) {
      if (this.id !== id) return;
      this.article = null;
      this.error = asIpcError(error);
    }
  }

  close(): void {
    this.id = null;
    this.article = null;
    this.error = null;
  }

  patch(id: number, change: Partial<Pick<Article, 'read' | 'starred'>>): void {
    if (this.article?.id === id) this.article = { ...this.article, ...change };
  }
}

export const reading = new Reading();
