import { asIpcError, call, type Article, type IpcError } from '../ipc';

/** So long an article is open before its full text is fetched by itself. */
const STAYS = 400;

/** From so much on it is kept how much further was read: a line of a hundred screens. */
const FURTHER = 0.0005;

/** The article in the reading pane. */
class Reading {
  /** Asked for; `article` follows. */
  id = $state<number | null>(null);
  article = $state.raw<Article | null>(null);
  error = $state.raw<IpcError | null>(null);
  /** It was opened behind the list, where the two take turns: it is read once it is in sight. */
  unseen = $state(false);
  /** Pictures for this article only, where the settings say none. */
  pictures = $state(false);

  /** The article whose full text is being fetched. */
  private textOf = $state<number | null>(null);
  /** Why the full text did not come. */
  textError = $state.raw<IpcError | null>(null);

  /** The full text came by itself while the reader was further down: it waits until it is asked for. */
  waiting = $state.raw<Article | null>(null);
  /** It did not come by itself: no trouble of the reader's, only a note. */
  textStays = $state(false);
  /** Articles whose full text did not come by itself: not tried again while this window is open. */
  private readonly vain = new Set<number>();
  private soon: ReturnType<typeof setTimeout> | undefined;

  readonly fetchingText = $derived(this.textOf !== null && this.textOf === this.id);
  readonly loading = $derived(this.id !== null && this.article?.id !== this.id && this.error === null);

  /** How far the article on the page was read; set by the frame while it has one on its page. */
  place: (() => { id: number; position: number } | null) | null = null;
  /** How far the open article was read, as the core knows it. */
  kept = 0;

  /** Keeps how far the open article was read, where that is not kept yet. */
  keepPlace(): void {
    const at = this.place?.();
    if (!at || at.id !== this.article?.id || Math.abs(this.kept - at.position) < FURTHER) return;
    this.kept = at.position;
    call('keep_progress', at).catch((error: unknown) => console.warn('keep_progress', error));
  }

  /** What the list says of the article goes before what the core said: the core may have read it before it was marked. */
  async open(id: number, listed: () => Pick<Article, 'read' | 'starred'> | undefined = () => undefined): Promise<void> {
    if (this.id === id && this.error === null) return;
    this.keepPlace();
    this.id = id;
    this.unseen = false;
    this.error = null;
    this.pictures = false;
    this.textError = null;
    this.waiting = null;
    this.textStays = false;
    clearTimeout(this.soon);
    try {
      const article = await call('open_article', { id });
      // The one asked for last wins, however fast j is pressed.
      if (this.id !== id) return;
      this.kept = article.progress ?? 0;
      const { read, starred } = listed() ?? article;
      this.article = { ...article, read, starred };
      // Whoever only passes by asks its site for nothing.
      if (article.fetch_text && !this.vain.has(id)) this.soon = setTimeout(() => void this.fetchByItself(id), STAYS);
    } catch (error) {
      if (this.id !== id) return;
      this.article = null;
      this.error = asIpcError(error);
    }
  }

  /** Shows the other text: the feed's, or the full one, which is fetched where it is not there. */
  async otherText(): Promise<void> {
    const { article } = this;
    if (!article || this.loading) return;
    if (this.fetchingText) return this.stopText();
    if (this.waiting) return this.showWaiting();
    if (!article.full && !article.has_full_text) return this.fetchText();
    this.textError = null;
    try {
      this.show(await call('show_text', { id: article.id, full: !article.full }));
    } catch (error) {
      this.textError = asIpcError(error);
    }
  }

  /** Fetches the full text of what opened with the feed's. It takes that one's place only where the reader is still at its beginning. */
  private async fetchByItself(id: number): Promise<void> {
    if (this.id !== id || this.fetchingText) return;
    this.textOf = id;
    try {
      const found = await call('fetch_full_text', { id });
      if (this.id !== id || this.textOf !== id) return;
      if ((this.place?.()?.position ?? 0) > 0) this.waiting = found;
      else this.show(found);
    } catch (error) {
      this.vain.add(id);
      if (this.id === id && this.textOf === id) this.textStays = true;
      console.warn('fetch_full_text', error);
    } finally {
      if (this.textOf === id) this.textOf = null;
    }
  }

  /** Shows the full text that came by itself. */
  showWaiting(): void {
    if (this.waiting) this.show(this.waiting);
    this.waiting = null;
  }

  async fetchText(): Promise<void> {
    const { id } = this;
    if (id === null || this.fetchingText) return;
    this.textOf = id;
    this.textError = null;
    this.textStays = false;
    try {
      this.show(await call('fetch_full_text', { id }));
    } catch (error) {
      // What was stopped, or given way to another one, is no failure.
      if (this.id === id && this.textOf === id) this.textError = asIpcError(error);
    } finally {
      if (this.textOf === id) this.textOf = null;
    }
  }

  stopText(): void {
    if (this.id !== null) this.vain.add(this.id);
    this.textOf = null;
    call('cancel_full_text').catch((error: unknown) => (this.textError = asIpcError(error)));
  }

  /** Looks again at what is there of the open article: its full text or pictures may have come. */
  async refetch(): Promise<void> {
    const { article } = this;
    if (!article || this.loading) return;
    try {
      const found = await call('show_text', { id: article.id, full: article.full });
      const same = ['has_full_text', 'full_text_trouble'] as const;
      const changed =
        same.some((key) => found[key] !== article[key]) || found.kept_pictures.length !== article.kept_pictures.length;
      if (changed) this.show(found);
    } catch (error) {
      // It is shown as it was; opening it says what is wrong.
      console.warn('show_text', error);
    }
  }

  /** Looks again at the marks and tags of the open article, which may have changed with many others. That opens it no second time. */
  async reread(): Promise<void> {
    const { article } = this;
    if (!article) return;
    try {
      const { read, starred, hidden, kept, tags } = await call('show_text', {
        id: article.id,
        full: article.full,
      });
      this.patch(article.id, { read, starred, hidden, kept, tags });
    } catch (error) {
      console.warn('show_text', error);
    }
  }

  /** The one that is open stays as it is in everything that the window may know better. */
  private show(found: Article): void {
    const { article } = this;
    if (article?.id === found.id) this.article = { ...found, read: article.read, starred: article.starred };
  }

  /** The reader has said what is to be done where the feed gives only a beginning. */
  offerNoMore(id: number): void {
    if (this.article?.id === id) this.article = { ...this.article, offer_text: false };
  }

  close(): void {
    this.keepPlace();
    clearTimeout(this.soon);
    this.id = null;
    this.article = null;
    this.error = null;
  }

  patch(id: number, change: Partial<Pick<Article, 'read' | 'starred' | 'hidden' | 'kept' | 'tags'>>): void {
    if (this.article?.id === id) this.article = { ...this.article, ...change };
  }
}

export const reading = new Reading();
