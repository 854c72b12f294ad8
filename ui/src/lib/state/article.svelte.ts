/** The article in the reading pane: its content, full text and reading position. */
import { asIpcError, call, type Article, type IpcError } from '../ipc';
import { layout } from './layout.svelte';

/** Milliseconds that an article must stay open before its full text is fetched automatically. */
const FULL_TEXT_DELAY = 400;

/** Smallest change of the reading position that is saved, as a share of the article. */
const MIN_PROGRESS = 0.0005;

/** The parts of an article's content that readers see. */
const TEXTS = ['title', 'author', 'html'] as const;

/** An article and its reading position: 0 is the start, 1 the end. */
export type ReadingPlace = { readonly id: number; readonly position: number };

/** The article in the reading pane. */
class Reading {
  /** Id of the requested article; `article` follows once it is loaded. */
  id = $state<number | null>(null);
  article = $state.raw<Article | null>(null);
  error = $state.raw<IpcError | null>(null);
  /** The article was opened behind the list in a one-pane layout; it counts as read once it is visible. */
  unseen = $state(false);
  /** Load images for this article, although the settings forbid them. */
  showImages = $state(false);

  /** Id of the article whose full text is being fetched. */
  private fetchingFor = $state<number | null>(null);
  /** Counts the fetches: one that was stopped may end after the next one has begun. */
  private fetches = 0;
  /** Why fetching the full text failed. */
  textError = $state.raw<IpcError | null>(null);

  /** A full text that was fetched automatically while the user was further down; it is shown on request. */
  fetchedText = $state.raw<Article | null>(null);
  /** The version of the article that a refresh has brought while the user is reading; shown on request. */
  updated = $state.raw<Article | null>(null);
  /** Counts how often it was looked for. */
  private looks = 0;
  /** Automatic fetching failed: shown as a note, not as an error. */
  autoFetchFailed = $state(false);
  /** Articles whose automatic fetch failed; not retried while this window is open. */
  private readonly failedFetches = new Set<number>();
  private fetchTimer: ReturnType<typeof setTimeout> | undefined;

  readonly fetchingText = $derived(this.fetchingFor !== null && this.fetchingFor === this.id);
  /** A notice about the full text or an update is shown. */
  readonly hasNotice = $derived(
    this.fetchingText ||
      this.autoFetchFailed ||
      (this.textError ?? this.fetchedText ?? this.updated) !== null ||
      (this.article !== null && this.article.full_text_error !== null && !this.article.shows_full_text),
  );
  readonly loading = $derived(this.id !== null && this.article?.id !== this.id && this.error === null);

  /** Returns the reading position of the displayed article; set by the frame while it shows one. */
  place: (() => ReadingPlace | null) | null = null;
  /** Reading position that the core already has. */
  savedPosition = 0;
  /** Reading positions that are being saved, by article. */
  private readonly saving = new Map<number, Promise<void>>();

  /** Saves the reading position of the open article if it has changed enough. */
  savePosition(): void {
    const at = this.place?.();
    if (!at || at.id !== this.article?.id || Math.abs(this.savedPosition - at.position) < MIN_PROGRESS) return;
    this.savedPosition = at.position;
    const saved = call('save_reading_progress', at)
      .catch((error: unknown) => console.warn('save_reading_progress', error))
      .then(() => {
        if (this.saving.get(at.id) === saved) this.saving.delete(at.id);
      });
    this.saving.set(at.id, saved);
  }

  /** Saves the reading position at once, and waits until it and former ones are saved. */
  async storePosition(): Promise<void> {
    this.savePosition();
    await Promise.all(this.saving.values());
  }

  /**
   * Opens an article. The list's read and starred state wins over the core's, which may have been read before a mark
   * was saved.
   */
  async open(id: number, listed: () => Pick<Article, 'read' | 'starred'> | undefined = () => undefined): Promise<void> {
    if (this.id === id && this.error === null) return;
    this.savePosition();
    this.id = id;
    this.unseen = false;
    this.error = null;
    this.showImages = false;
    this.textError = null;
    this.fetchedText = null;
    this.updated = null;
    this.autoFetchFailed = false;
    clearTimeout(this.fetchTimer);
    try {
      // An article that was left just now must not be read before its position is saved. Otherwise the request is sent
      // at once: before that which marks the article as read, since only unread articles count as opened.
      const saving = this.saving.get(id);
      if (saving) await saving;
      const article = await call('open_article', { id });
      // The latest request wins.
      if (this.id !== id) return;
      this.savedPosition = article.progress ?? 0;
      const { read, starred } = listed() ?? article;
      this.article = { ...article, read, starred };
      // Skimming past an article must not cause requests to its site.
      if (article.fetch_full_text && !this.failedFetches.has(id))
        this.fetchTimer = setTimeout(() => void this.fetchAutomatically(id), FULL_TEXT_DELAY);
    } catch (error) {
      if (this.id !== id) return;
      this.article = null;
      this.error = asIpcError(error);
    }
  }

  /** Switches between the feed's text and the full text, which is fetched if it is missing. */
  async toggleFullText(): Promise<void> {
    const { article } = this;
    if (!article || this.loading) return;
    if (this.fetchingText) return this.stopText();
    if (this.fetchedText) return this.showFetchedText();
    if (!article.shows_full_text && !article.has_full_text) return this.fetchText();
    this.textError = null;
    try {
      this.show(await call('show_text', { id: article.id, full: !article.shows_full_text }));
    } catch (error) {
      if (this.id === article.id) this.textError = asIpcError(error);
    }
  }

  /** Begins a fetch. Returns whether it is still the current one, neither stopped nor replaced by another. */
  private beginFetch(id: number): () => boolean {
    const fetch = ++this.fetches;
    this.fetchingFor = id;
    return () => fetch === this.fetches && this.fetchingFor === id;
  }

  /** Fetches the full text automatically. It replaces the feed's text only if the user is still at the top. */
  private async fetchAutomatically(id: number): Promise<void> {
    if (this.id !== id || this.fetchingText) return;
    const isCurrent = this.beginFetch(id);
    try {
      const found = await call('fetch_full_text', { id, by_hand: false });
      if (this.id !== id || !isCurrent()) return;
      if ((this.place?.()?.position ?? 0) > 0) this.fetchedText = found;
      else this.show(found);
    } catch (error) {
      // The fetch for the next article cancels one that is still running. Opening the article again repeats it.
      if (asIpcError(error).code !== 'cancelled') this.failedFetches.add(id);
      if (this.id === id && isCurrent()) this.autoFetchFailed = true;
      console.warn('fetch_full_text', error);
    } finally {
      if (isCurrent()) this.fetchingFor = null;
    }
  }

  /** Shows the full text that was fetched automatically. */
  showFetchedText(): void {
    if (this.fetchedText) this.showHeld(this.fetchedText);
    this.fetchedText = null;
  }

  async fetchText(): Promise<void> {
    const { id } = this;
    if (id === null || this.fetchingText) return;
    const isCurrent = this.beginFetch(id);
    this.textError = null;
    this.autoFetchFailed = false;
    try {
      this.show(await call('fetch_full_text', { id, by_hand: true }));
    } catch (error) {
      // A cancelled or superseded fetch is not an error.
      if (this.id === id && isCurrent()) this.textError = asIpcError(error);
    } finally {
      if (isCurrent()) this.fetchingFor = null;
    }
  }

  stopText(): void {
    const { id } = this;
    if (id !== null) this.failedFetches.add(id);
    this.fetchingFor = null;
    call('cancel_full_text').catch((error: unknown) => {
      if (this.id === id) this.textError = asIpcError(error);
    });
  }

  /** Reloads the open article if its full text or images have been downloaded. */
  async reloadContent(): Promise<void> {
    const { article } = this;
    if (!article || this.loading) return;
    try {
      const found = await call('show_text', { id: article.id, full: article.shows_full_text });
      const changed =
        found.has_full_text !== article.has_full_text ||
        found.full_text_error?.code !== article.full_text_error?.code ||
        found.offline_images.length !== article.offline_images.length;
      // The user may have switched to the other text in the meantime.
      if (changed && this.article?.shows_full_text === article.shows_full_text) this.show(found);
    } catch (error) {
      // The article stays as it was; opening it again reports the error.
      console.warn('show_text', error);
    }
  }

  /** Checks whether the open article was changed. The displayed text stays. */
  async lookForUpdate(): Promise<void> {
    const { article } = this;
    if (!article || this.loading) return;
    const look = ++this.looks;
    try {
      const found = await call('show_text', { id: article.id, full: article.shows_full_text });
      const shown = this.article;
      // The latest request wins.
      if (look !== this.looks) return;
      if (this.id !== found.id || shown?.id !== found.id || shown.shows_full_text !== found.shows_full_text) return;
      this.updated = TEXTS.some((text) => found[text] !== shown[text]) ? found : null;
    } catch (error) {
      // It may have been deleted; the displayed text stays.
      console.warn('show_text', error);
    }
  }

  /** Shows the article as a refresh has changed it. */
  showUpdate(): void {
    if (this.updated) this.showHeld(this.updated);
  }

  /** Reloads marks and tags of the open article after a bulk change, without opening it a second time. */
  async reloadMarks(): Promise<void> {
    const { article } = this;
    if (!article) return;
    try {
      const { read, starred, hidden, kept, tags } = await call('show_text', {
        id: article.id,
        full: article.shows_full_text,
      });
      this.patch(article.id, { read, starred, hidden, kept, tags });
    } catch (error) {
      console.warn('show_text', error);
    }
  }

  /** Shows an article that was read a while ago. The open one may have been tagged, kept or hidden since. */
  private showHeld(found: Article): void {
    if (!this.article) return;
    const { hidden, kept, tags } = this.article;
    this.show({ ...found, hidden, kept, tags });
  }

  /** Replaces the open article, keeping the read and starred state that the window may know better. */
  private show(found: Article): void {
    const { article } = this;
    if (article?.id !== found.id) return;
    this.article = { ...found, read: article.read, starred: article.starred };
    this.updated = null;
  }

  /** Hides the full text offer after the user has answered it. */
  dismissFullTextOffer(id: number): void {
    if (this.article?.id === id) this.article = { ...this.article, offer_full_text: false };
  }

  close(): void {
    this.savePosition();
    this.leave();
  }

  private leave(): void {
    clearTimeout(this.fetchTimer);
    this.id = null;
    this.article = null;
    this.updated = null;
    this.error = null;
    // Not an empty pane in place of the list.
    layout.visiblePane = 'list';
  }

  /** Closes the article of a replaced library. Its position is not saved: another article may have its id now. */
  forget(): void {
    this.failedFetches.clear();
    this.leave();
  }

  patch(id: number, change: Partial<Pick<Article, 'read' | 'starred' | 'hidden' | 'kept' | 'tags'>>): void {
    if (this.article?.id === id) this.article = { ...this.article, ...change };
  }
}

export const reading = new Reading();

layout.isArticleOpen = () => reading.id !== null;
