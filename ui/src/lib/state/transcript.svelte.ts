/** Transcripts of recordings. Downloaded on request; the core stores them. */
import { asIpcError, call, type Article, type IpcError, type Passage, type Transcript } from '../ipc';
import { reading } from './article.svelte';
import { notes } from './notes.svelte';
import { player } from './player.svelte';

/** Returns the index of the passage at a position; -1 before the first. */
export function passageAt(passages: readonly Passage[], seconds: number): number {
  return passages.findLastIndex(({ start }) => start !== null && start <= seconds + 0.25);
}

/** Returns the indices of the passages that contain a text, ignoring case. */
export function passagesWith(passages: readonly Passage[], text: string): number[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  return passages.flatMap((passage, at) => (passage.text.toLowerCase().includes(wanted) ? [at] : []));
}

class TranscriptState {
  /** Id of the article whose transcript is shown: opening another article requests nothing. */
  private shownOf = $state<number | null>(null);
  private found = $state.raw<{ readonly id: number; readonly transcript: Transcript } | null>(null);
  private requested = $state<number | null>(null);
  /** Counts the requests: one that was cancelled may end after the next one has begun. */
  private requests = 0;
  private failed = $state.raw<{ readonly id: number; readonly error: IpcError } | null>(null);

  readonly possible = $derived(reading.article?.has_transcript ?? false);
  readonly shown = $derived(
    this.possible && this.shownOf !== null && this.shownOf === reading.article?.id && !notes.shown,
  );
  readonly loading = $derived(this.requested !== null && this.requested === reading.article?.id);

  of(article: Article): Transcript | null {
    return this.found?.id === article.id ? this.found.transcript : null;
  }

  errorOf(article: Article): IpcError | null {
    return this.failed?.id === article.id ? this.failed.error : null;
  }

  /** Returns the index of the passage that is playing, or -1. */
  here(article: Article): number {
    const passages = this.of(article)?.passages;
    return passages && player.now?.id === article.id ? passageAt(passages, player.seconds) : -1;
  }

  toggle(): void {
    const { article } = reading;
    if (!article?.has_transcript) return;
    if (this.shown) return this.hide();
    if (notes.shown) notes.toggle();
    this.shownOf = article.id;
    void this.load(article.id);
  }

  hide(): void {
    this.shownOf = null;
    if (this.requested === null) return;
    this.requested = null;
    call('cancel_transcript').catch((error: unknown) => console.warn('cancel_transcript', error));
  }

  /** Clears what is known of articles of a replaced library. */
  forget(): void {
    this.shownOf = this.found = this.requested = this.failed = null;
  }

  /** Loads the transcript of an article, unless it is there or on its way. */
  async load(id: number): Promise<void> {
    if (this.found?.id === id || this.requested === id) return;
    const request = ++this.requests;
    const isCurrent = () => request === this.requests && this.requested === id;
    this.requested = id;
    this.failed = null;
    try {
      const transcript = await call('transcript', { id });
      if (isCurrent()) this.found = { id, transcript };
    } catch (error) {
      // A cancelled or superseded download is not an error.
      if (isCurrent()) this.failed = { id, error: asIpcError(error) };
    } finally {
      if (isCurrent()) this.requested = null;
    }
  }
}

export const transcripts = new TranscriptState();
