/** The comments on the open article, from the feed that it names for them. Fetched when they are asked for, and kept while the window is open. */
import { asIpcError, call, type Article, type Comments, type IpcError } from '../ipc';
import { reading } from './article.svelte';

class CommentsState {
  /** The article whose comments are shown. */
  private of = $state<number | null>(null);
  private found = $state.raw<ReadonlyMap<number, Comments>>(new Map());
  private asked = $state<number | null>(null);
  error = $state.raw<IpcError | null>(null);

  readonly possible = $derived(reading.article?.has_comments_feed ?? false);
  readonly shown = $derived(this.possible && this.of !== null && this.of === reading.article?.id);
  readonly loading = $derived(this.asked !== null && this.asked === reading.article?.id);

  list(article: Article): Comments | null {
    return this.found.get(article.id) ?? null;
  }

  toggle(): void {
    const { article } = reading;
    if (!article?.has_comments_feed) return;
    if (this.shown) return this.hide();
    this.of = article.id;
    this.error = null;
    if (!this.found.has(article.id)) void this.fetch();
  }

  hide(): void {
    this.of = null;
    if (!this.loading) return;
    this.asked = null;
    call('cancel_comments').catch((error: unknown) => console.warn('cancel_comments', error));
  }

  async fetch(): Promise<void> {
    const id = reading.article?.id;
    if (id === undefined) return;
    this.asked = id;
    this.error = null;
    try {
      const comments = await call('comments', { id });
      this.found = new Map([...this.found, [id, comments]]);
    } catch (error) {
      // What was stopped, or given way to another article's, is no failure.
      if (this.asked === id && this.of === id) this.error = asIpcError(error);
    } finally {
      if (this.asked === id) this.asked = null;
    }
  }
}

export const comments = new CommentsState();
