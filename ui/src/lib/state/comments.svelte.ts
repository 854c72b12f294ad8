/** Comments on the open article, from its comment feed. Fetched on request and cached while the window is open. */
import { asIpcError, call, type Article, type Comments, type IpcError } from '../ipc';
import { reading } from './article.svelte';

class CommentsState {
  /** Id of the article whose comments are shown. */
  private of = $state<number | null>(null);
  private found = $state.raw<ReadonlyMap<number, Comments>>(new Map());
  private requested = $state<number | null>(null);
  /** Counts the requests: one that was cancelled may end after the next one has begun. */
  private requests = 0;
  error = $state.raw<IpcError | null>(null);

  readonly possible = $derived(reading.article?.has_comments_feed ?? false);
  readonly shown = $derived(this.possible && this.of !== null && this.of === reading.article?.id);
  readonly loading = $derived(this.requested !== null && this.requested === reading.article?.id);

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
    this.requested = null;
    call('cancel_comments').catch((error: unknown) => console.warn('cancel_comments', error));
  }

  /** Clears the comments on articles of a replaced library. */
  forget(): void {
    this.of = this.requested = null;
    this.found = new Map();
  }

  async fetch(): Promise<void> {
    const id = reading.article?.id;
    if (id === undefined) return;
    const request = ++this.requests;
    const isCurrent = () => request === this.requests && this.requested === id;
    this.requested = id;
    this.error = null;
    try {
      const comments = await call('comments', { id });
      if (isCurrent()) this.found = new Map([...this.found, [id, comments]]);
    } catch (error) {
      // A cancelled or superseded fetch is not an error.
      if (isCurrent() && this.of === id) this.error = asIpcError(error);
    } finally {
      if (isCurrent()) this.requested = null;
    }
  }
}

export const comments = new CommentsState();
