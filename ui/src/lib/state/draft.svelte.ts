/** The text of a note being edited. Saved when typing pauses; text that cannot be saved is kept with the error. */
import { asIpcError, call, type IpcError } from '../ipc';
import { t } from '../messages';
import { SaveQueue } from './save-queue';
import { addedStep, undo, type UndoEntry } from './undo.svelte';

/** Milliseconds after the last key press. */
const PAUSE = 1000;

export class Draft {
  text = $state('');
  error = $state.raw<IpcError | null>(null);
  /** Id of the note; `null` for an unsaved note on the whole article. */
  id: number | null = $state(null);

  private saved: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private dropped = false;
  private readonly saves = new SaveQueue();
  /** All saves of one edit are undone together. */
  private readonly steps: number[] = [];
  private readonly entry: UndoEntry;
  /** The draft began as a new note on the whole article, which is deleted when its text is cleared. */
  private readonly isNew: boolean;

  constructor(
    id: number | null,
    readonly article: number,
    before: string,
    /** Called when the stored note has changed. */
    private readonly changed: () => void,
    /** Stores a text in a note again after its edit was undone. */
    again: (note: number, text: string) => Promise<unknown>,
  ) {
    this.id = id;
    this.isNew = id === null;
    this.text = before;
    this.saved = before;
    const did = t('notes.changed');
    this.entry =
      id === null
        ? addedStep(did, () => call('delete_note', { note_id: this.id! }), changed)
        : { step: this.steps, did, restore: changed, again: () => again(id, this.saved) };
  }

  get dirty(): boolean {
    return !this.dropped && this.text !== this.saved && (this.id !== null || this.text.trim() !== '');
  }

  /** Whether any part of this edit was saved. */
  get isSaved(): boolean {
    return this.steps.length > 0;
  }

  typed(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), PAUSE);
  }

  /** Saves the text. Returns whether everything is saved. */
  async save(): Promise<boolean> {
    clearTimeout(this.timer);
    await undo.during(this.saves.enqueue(() => this.saveText()));
    return !this.dirty;
  }

  /** Discards the edit and restores the note. Rejects with an `IpcError`. */
  async cancel(): Promise<void> {
    this.drop();
    await this.saves.enqueue(() => Promise.resolve());
    if (this.steps.length === 0 || !undo.drop(this.entry)) return;
    for (const step of this.steps.toReversed()) await call('undo', { undo: step });
    this.changed();
  }

  /** Stops saving this draft. */
  drop(): void {
    clearTimeout(this.timer);
    this.dropped = true;
  }

  private async saveText(): Promise<void> {
    if (!this.dirty) return;
    const { text, id, article } = this;
    try {
      if (id === null) {
        const made = await call('add_note', { article_id: article, quote: null, color: 'yellow', text });
        this.id = made.note.id;
        this.note(made.undo);
      } else this.note((await call('change_note', { note_id: id, text, color: null })).undo);
      if (this.isNew && text.trim() === '') this.forgetNote();
      this.saved = text;
      this.error = null;
      this.changed();
    } catch (error) {
      this.error = asIpcError(error);
    }
  }

  /** Begins again without a note: nothing is left to undo, and text typed later is another new note. */
  private forgetNote(): void {
    this.id = null;
    this.steps.length = 0;
    undo.drop(this.entry);
  }

  private note(step: number): void {
    this.steps.push(step);
    if (this.steps.length === 1) undo.push(this.entry);
  }
}
