/** What the reader marks in the open article and writes about it. The frame's page says what is selected and where passages are. */
import { NotedPage } from '../article/noted-page';
import { asIpcError, call, type AddNote, type IpcError, type Note, type NoteColor } from '../ipc';
import { t } from '../messages';
import { reading } from './article.svelte';
import { changes } from './changes.svelte';
import { collections } from './collections.svelte';
import { exporting } from './export.svelte';
import { Draft } from './draft.svelte';
import { copyText } from './feeds';
import { layout } from './layout.svelte';
import { toasts } from './toasts.svelte';
import { undo, type UndoEntry } from './undo.svelte';

export const COLORS: readonly NoteColor[] = ['yellow', 'green', 'blue', 'pink'];

/** Bytes of a passage. */
const LONGEST = 20_000;

/** A note that is being written: one that is there, or one on the whole article that is not yet. */
export type Editing = number | 'article';

class Notes {
  /** The article that they are on. */
  of = $state<number | null>(null);
  all = $state.raw<readonly Note[]>([]);
  error = $state.raw<IpcError | null>(null);
  /** Whose passages the page has no longer. */
  lost = $state.raw<ReadonlySet<number>>(new Set());
  /** Beside the article, or below it. */
  shown = $state(false);
  /** The one that was gone to. */
  here = $state<number | null>(null);
  editing = $state<Editing | null>(null);
  /** What was chosen last. */
  color = $state<NoteColor>('yellow');
  /** The page of the article, once it is there. */
  page = $state.raw<NotedPage | null>(null);

  /** As they stand on the page. */
  readonly placed = $derived.by(() => {
    void this.lost;
    return this.page?.order ?? [];
  });
  readonly usable = $derived(this.of !== null && this.of === reading.article?.id && !changes.shown);

  /** What is being written, while its editor is there. */
  draft = $state.raw<Draft | null>(null);
  /** What could not be saved when its editor went, by article: it comes back with the article. */
  private readonly unsaved = new Map<number, { what: Editing; draft: Draft }>();

  private asked = 0;
  /** How to select by keys, while that is told. */
  private hint = 0;

  /** The notes of this article, from now on. */
  async open(id: number | null): Promise<void> {
    if (this.of !== id) {
      this.of = id;
      this.all = [];
      this.here = null;
      this.editing = null;
      this.error = null;
      this.page = null;
      this.lost = new Set();
      this.bringBack();
    }
    await this.load();
  }

  /** The article is on the page; `null` where something else is. */
  shows(page: Document | null): void {
    const text = page?.querySelector('.gl-body');
    this.page?.clear();
    this.page = page && text ? new NotedPage(page, text) : null;
    void this.place();
  }

  async load(): Promise<void> {
    const { of } = this;
    const asked = ++this.asked;
    if (of === null) return;
    try {
      const all = await call('notes', { id: of });
      if (asked !== this.asked) return;
      // What is the same is not drawn anew.
      if (JSON.stringify(all) !== JSON.stringify(this.all)) this.all = all;
      this.error = null;
      if (this.here !== null && !all.some(({ id }) => id === this.here)) this.here = null;
    } catch (error) {
      if (asked === this.asked) this.error = asIpcError(error);
    }
  }

  /** Finds the passages on the page that is shown. */
  async place(): Promise<void> {
    const { page } = this;
    if (!page) return;
    const lost = await page.place(this.all);
    if (!lost || page !== this.page) return;
    this.lost = lost;
    page.draw(this.here);
  }

  go(id: number | null): void {
    this.here = id;
    this.page?.draw(id);
    if (id !== null) this.page?.reveal(id);
  }

  /** The next or previous passage of the page; after the last one comes the first. */
  step(direction: 1 | -1): void {
    const { placed } = this;
    if (placed.length === 0) return void toasts.show(t('notes.none_here'));
    const at = this.here === null ? -1 : placed.indexOf(this.here);
    const next = at < 0 ? (direction > 0 ? 0 : placed.length - 1) : (at + direction + placed.length) % placed.length;
    this.go(placed[next] ?? null);
  }

  toggle(): void {
    this.shown = !this.shown;
    if (!this.shown) {
      this.editing = null;
      if (layout.current() === 'article') layout.focus('article');
    }
  }

  /** Marks what is selected. Without a pointer, the first paragraph in sight is selected to begin with. */
  async mark(color: NoteColor = this.color): Promise<Note | null> {
    const { page } = this;
    if (!page || !this.usable || this.of === null) return null;
    const quote = page.quote();
    if (!quote) {
      layout.focus('article');
      if (page.selectFirst()) this.hint = toasts.show(t('notes.select'));
      return null;
    }
    if (new TextEncoder().encode(quote.exact).length > LONGEST) {
      toasts.show(t('notes.too_long'), { trouble: true });
      return null;
    }
    this.color = color;
    const note = await this.add({ article_id: this.of, quote, color, text: '' });
    if (!note) return null;
    page.unselect();
    this.letGo();
    this.here = note.id;
    return note;
  }

  /** Nothing is selected any more. */
  letGo(): void {
    toasts.dismiss(this.hint);
  }

  /** Writes about what is selected, else about the passage that was gone to, else about the whole article. */
  async write(): Promise<void> {
    if (!this.usable) return;
    if (this.page?.quote()) {
      const note = await this.mark();
      if (note) this.edit(note.id);
    } else this.edit(this.here ?? 'article');
  }

  /** The note on the whole article goes on where there is one. */
  edit(what: Editing, known = true): void {
    // The one that is being written is not there twice, though it may have been saved by now.
    if (what === 'article' && this.editing === 'article') return;
    const whole = known && what === 'article' ? this.all.find((note) => note.quote === null)?.id : undefined;
    this.shown = true;
    this.editing = whole ?? what;
    if (typeof this.editing === 'number') this.here = this.editing;
  }

  /** Begins to write, or goes on with what could not be saved. */
  begin(what: Editing, article: number, text: string): Draft {
    const left = this.unsaved.get(article);
    if (left?.what === what) this.unsaved.delete(article);
    const draft = left?.what === what ? left.draft : this.newDraft(what, article, text);
    this.draft = draft;
    return draft;
  }

  private newDraft(what: Editing, article: number, text: string): Draft {
    return new Draft(what === 'article' ? null : what, article, text, () => {
      void this.load();
      void collections.load();
    });
  }

  /** Goes on with what was cancelled: at once, or when its article is open again. */
  goOn(what: Editing, article: number, before: string, text: string): void {
    const draft = this.newDraft(what, article, before);
    draft.text = text;
    this.unsaved.set(article, { what, draft });
    if (this.of === article && this.editing === null) this.bringBack();
  }

  /** The editor goes: what was written is saved, whatever is open by now. What cannot be is not lost. */
  async end(what: Editing, draft: Draft): Promise<void> {
    if (this.draft === draft) this.draft = null;
    if (await draft.save()) return;
    if (draft.error) toasts.error(draft.error);
    // The note is gone, and nothing can be written about it.
    if (draft.error?.code === 'not_found') return;
    this.unsaved.set(draft.article, { what, draft });
    if (this.of === draft.article && this.editing === null) this.bringBack();
  }

  /** Another library is about to take this one's place: what is being written is saved in this one. Rejects with an `IpcError`. */
  async settle(): Promise<void> {
    const { draft } = this;
    if (draft && !(await draft.save()) && draft.error) throw draft.error;
  }

  /** Numbers mean other notes now. */
  forget(): void {
    this.draft?.drop();
    this.draft = null;
    this.unsaved.clear();
  }

  private bringBack(): void {
    const left = this.of === null ? undefined : this.unsaved.get(this.of);
    if (left) this.edit(left.what, false);
  }

  async change(id: number, { text, color }: { text?: string; color?: NoteColor }): Promise<boolean> {
    try {
      const { undo: step } = await call('change_note', { note_id: id, text: text ?? null, color: color ?? null });
      if (color) this.color = color;
      undo.push(this.entry(step));
      await this.load();
      return true;
    } catch (error) {
      toasts.error(error);
      return false;
    }
  }

  async remove(note: Note): Promise<void> {
    try {
      const { undo: step } = await call('delete_note', { note_id: note.id });
      const entry = this.entry(step);
      undo.push(entry);
      toasts.show(t('notes.deleted'), { action: { label: t('toast.undo'), run: () => void undo.take(entry) } });
      if (this.here === note.id) this.here = null;
      if (this.editing === note.id) this.editing = null;
      await this.load();
    } catch (error) {
      toasts.error(error);
    }
  }

  removeHere(): void {
    const note = this.all.find(({ id }) => id === this.here);
    if (note) void this.remove(note);
  }

  async copy(ids: number[]): Promise<void> {
    try {
      const text = await call('notes_markdown', { article_ids: ids });
      if (text) await copyText(text, t('notes.copied'));
      else toasts.show(t('notes.none_here'));
    } catch (error) {
      toasts.error(error);
    }
  }

  private async add(wish: AddNote): Promise<Note | null> {
    try {
      const { note, undo: step } = await call('add_note', wish);
      undo.push(this.entry(step));
      await this.load();
      return note;
    } catch (error) {
      toasts.error(error);
      return null;
    }
  }

  private entry(step: number): UndoEntry {
    return {
      step,
      restore: () => {
        void this.load();
        void collections.load();
      },
    };
  }
}

export const notes = new Notes();

/** The notes of one article as a document, or of all. */
export const saveNotes = (ids: number[], title: string): Promise<void> => exporting.save({ ids }, title, 'notes');
