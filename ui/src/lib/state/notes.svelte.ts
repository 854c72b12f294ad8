/**
 * Highlights and notes on the open article. The frame's page provides the selection and the positions of passages.
 */
import { AnnotatedPage } from '../article/annotated-page';
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
import { addedStep, undo, type UndoEntry } from './undo.svelte';

export const COLORS: readonly NoteColor[] = ['yellow', 'green', 'blue', 'pink'];

/** Maximum length of a passage, in bytes. */
const MAX_PASSAGE_BYTES = 20_000;

/** The note being edited: an existing one, or a new one on the whole article. */
type Editing = number | 'article';

class Notes {
  /** Id of the article. */
  of = $state<number | null>(null);
  all = $state.raw<readonly Note[]>([]);
  error = $state.raw<IpcError | null>(null);
  /** Notes whose passage is no longer on the page. */
  lost = $state.raw<ReadonlySet<number>>(new Set());
  /** The notes panel is open. */
  shown = $state(false);
  /** The current note. */
  here = $state<number | null>(null);
  editing = $state<Editing | null>(null);
  /** The last used colour. */
  color = $state<NoteColor>('yellow');
  /** The article's page, once it is displayed. */
  page = $state.raw<AnnotatedPage | null>(null);

  /** Notes in page order. */
  readonly placed = $derived.by(() => {
    void this.lost;
    return this.page?.order ?? [];
  });
  readonly usable = $derived(this.of !== null && this.of === reading.article?.id && !changes.shown);

  /** The draft, while its editor is open. */
  draft = $state.raw<Draft | null>(null);
  /** Drafts that could not be saved when their editor closed, by article; restored with the article. */
  private readonly unsaved = new Map<number, { what: Editing; draft: Draft }>();

  /** There is text that is perhaps not saved yet. */
  get hasDrafts(): boolean {
    return this.draft !== null || this.unsaved.size > 0;
  }

  private request = 0;
  /** Id of the toast that explains keyboard selection. */
  private hint = 0;
  /** Id of the toast that offers to edit a cancelled note. */
  private cancelled = 0;
  /** Drafts that are being saved after their editors closed. */
  private ending: Promise<unknown> = Promise.resolve();

  /** Loads the notes of an article. */
  async open(id: number | null): Promise<void> {
    if (this.of !== id) {
      this.of = id;
      this.all = [];
      this.here = null;
      this.editing = null;
      this.error = null;
      this.page = null;
      this.lost = new Set();
      this.restoreUnsaved();
    }
    await this.load();
  }

  /** Sets the article's page; `null` if something else is displayed. */
  setPage(page: Document | null): void {
    const text = page?.querySelector('.gl-body');
    this.page?.clear();
    this.page = page && text ? new AnnotatedPage(page, text) : null;
    void this.place();
  }

  async load(): Promise<void> {
    const { of } = this;
    const request = ++this.request;
    if (of === null) return;
    try {
      const all = await call('notes', { id: of });
      if (request !== this.request) return;
      // Unchanged notes must not be redrawn.
      if (JSON.stringify(all) !== JSON.stringify(this.all)) this.all = all;
      this.error = null;
      if (this.here !== null && !all.some(({ id }) => id === this.here)) this.here = null;
    } catch (error) {
      if (request === this.request) this.error = asIpcError(error);
    }
  }

  /** Locates the passages on the displayed page. */
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

  /** Goes to the next or previous passage, wrapping around. */
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

  /**
   * Highlights the selection. Without one, selects the first visible paragraph so that the keyboard can extend it.
   */
  async mark(color: NoteColor = this.color): Promise<Note | null> {
    const { page } = this;
    if (!page || !this.usable || this.of === null) return null;
    const quote = page.quote();
    if (!quote) {
      layout.focus('article');
      if (page.selectFirst()) this.hint = toasts.show(t('notes.select'));
      return null;
    }
    if (new TextEncoder().encode(quote.exact).length > MAX_PASSAGE_BYTES) {
      toasts.show(t('notes.too_long'), { isError: true });
      return null;
    }
    this.color = color;
    const note = await this.add({ article_id: this.of, quote, color, text: '' });
    if (!note) return null;
    page.unselect();
    this.dismissHint();
    this.here = note.id;
    return note;
  }

  /** Called when the selection is gone. */
  dismissHint(): void {
    toasts.dismiss(this.hint);
  }

  /** Edits a note on the selection, else on the current passage, else on the whole article. */
  async write(): Promise<void> {
    if (!this.usable) return;
    if (this.page?.quote()) {
      const note = await this.mark();
      if (note) this.edit(note.id);
    } else this.edit(this.here ?? 'article');
  }

  /** Opens the editor. For the whole article, the existing note is edited if there is one. */
  edit(what: Editing, known = true): void {
    // Do not edit the same new note twice, even if it has been saved meanwhile.
    if (what === 'article' && this.editing === 'article') return;
    const whole = known && what === 'article' ? this.all.find((note) => note.quote === null)?.id : undefined;
    this.shown = true;
    this.editing = whole ?? what;
    if (typeof this.editing === 'number') this.here = this.editing;
  }

  /** Returns the draft for an editor: a new one, or the one that could not be saved. */
  begin(what: Editing, article: number, text: string): Draft {
    const left = this.unsaved.get(article);
    if (left?.what === what) this.unsaved.delete(article);
    const draft = left?.what === what ? left.draft : this.newDraft(what, article, text);
    this.draft = draft;
    return draft;
  }

  private newDraft(what: Editing, article: number, text: string): Draft {
    const id = what === 'article' ? null : what;
    return new Draft(id, article, text, this.changed, (note, text) => this.change(note, { text }));
  }

  /** Offers to edit a cancelled note on. */
  offerToResume(what: Editing, article: number, before: string, text: string): void {
    const run = () => this.resume(what, article, before, text);
    this.cancelled = toasts.show(t('notes.not_saved'), { action: { label: t('dialog.keep_editing'), run } });
  }

  /** Restores a cancelled edit: now, or when its article is opened again. */
  resume(what: Editing, article: number, before: string, text: string): void {
    const draft = this.newDraft(what, article, before);
    draft.text = text;
    this.unsaved.set(article, { what, draft });
    if (this.of === article && this.editing === null) this.restoreUnsaved();
  }

  /**
   * Called when the editor closes: saves the draft, whichever article is open. A draft that cannot be saved is kept.
   */
  end(what: Editing, draft: Draft): Promise<void> {
    if (this.draft === draft) this.draft = null;
    const ended = this.endNow(what, draft);
    this.ending = Promise.allSettled([this.ending, ended]);
    return ended;
  }

  private async endNow(what: Editing, draft: Draft): Promise<void> {
    if (await draft.save()) {
      // The message would seem to be about this note.
      if (draft.isSaved) toasts.dismiss(this.cancelled);
      return;
    }
    if (draft.error) toasts.error(draft.error);
    // The note was deleted.
    if (draft.error?.code === 'not_found') return;
    this.unsaved.set(draft.article, { what, draft });
    if (this.of === draft.article && this.editing === null) this.restoreUnsaved();
  }

  /** Saves the draft before another library is loaded or Gleaner quits. Rejects with an `IpcError`. */
  async saveDraft(): Promise<void> {
    const { draft } = this;
    const [isSaved] = await Promise.all([draft?.save(), this.ending]);
    if (isSaved === false && draft?.error) throw draft.error;
  }

  /** Clears drafts: ids refer to another library now. */
  forget(): void {
    this.draft?.drop();
    this.draft = null;
    this.unsaved.clear();
  }

  private restoreUnsaved(): void {
    const left = this.of === null ? undefined : this.unsaved.get(this.of);
    if (left) this.edit(left.what, false);
  }

  private readonly changed = (): void => {
    void this.load();
    void collections.load();
  };

  readonly change = undo.action(async (id: number, { text, color }: { text?: string; color?: NoteColor }) => {
    try {
      const { undo: step } = await call('change_note', { note_id: id, text: text ?? null, color: color ?? null });
      if (color) this.color = color;
      undo.push(this.entry(step, t('notes.changed'), () => this.change(id, { text, color })));
      await this.load();
      return true;
    } catch (error) {
      toasts.error(error);
      return false;
    }
  });

  readonly remove = undo.single(
    (note: Note) => note.id,
    (note) => this.removeNow(note),
  );

  private async removeNow(note: Note): Promise<void> {
    try {
      const { undo: step } = await call('delete_note', { note_id: note.id });
      const entry = this.entry(step, t('notes.deleted'), () => this.remove(note));
      undo.push(entry);
      toasts.show(t('notes.deleted'), { action: undo.button(entry) });
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

  private readonly add = undo.action(async (request: AddNote): Promise<Note | null> => {
    try {
      const { note } = await call('add_note', request);
      undo.push(addedStep(t('notes.added'), () => call('delete_note', { note_id: note.id }), this.changed));
      await this.load();
      return note;
    } catch (error) {
      toasts.error(error);
      return null;
    }
  });

  private entry(step: number, did: string, again: () => Promise<unknown>): UndoEntry {
    return { step, did, again, restore: this.changed };
  }
}

export const notes = new Notes();

/** Exports the notes of one article, or of all. */
export const saveNotes = (ids: number[], title: string): Promise<void> => exporting.save({ ids }, title, 'notes');
