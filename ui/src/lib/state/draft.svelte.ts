/** The text of a note while it is written. It is saved when its writer pauses; what cannot be saved stays here with the reason. */
import { asIpcError, call, type IpcError } from '../ipc';
import { Saves } from './saves';
import { undo, type UndoEntry } from './undo.svelte';

/** Milliseconds after the last key. */
const PAUSE = 1000;

export class Draft {
  text = $state('');
  error = $state.raw<IpcError | null>(null);
  /** The note; none yet where it is to be one on the whole article. */
  id: number | null = $state(null);

  private saved: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private dropped = false;
  private readonly saves = new Saves();
  /** All saves are taken back together: each is only a pause in one act of writing. */
  private readonly steps: number[] = [];
  private readonly entry: UndoEntry;

  constructor(
    id: number | null,
    readonly article: number,
    before: string,
    /** Called when the library has something else. */
    private readonly changed: () => void,
  ) {
    this.id = id;
    this.text = before;
    this.saved = before;
    this.entry = { step: this.steps, restore: changed };
  }

  get dirty(): boolean {
    return !this.dropped && this.text !== this.saved && (this.id !== null || this.text.trim() !== '');
  }

  typed(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), PAUSE);
  }

  /** Says whether nothing is left that is not saved. */
  async save(): Promise<boolean> {
    clearTimeout(this.timer);
    await this.saves.ask(() => this.keep());
    return !this.dirty;
  }

  /** Nothing was meant: the note is as it was. Rejects with an `IpcError`. */
  async cancel(): Promise<void> {
    this.drop();
    await this.saves.ask(() => Promise.resolve());
    if (this.steps.length === 0 || !undo.drop(this.entry)) return;
    for (const step of this.steps.toReversed()) await call('undo', { undo: step });
    this.changed();
  }

  /** What is written here is saved no more. */
  drop(): void {
    clearTimeout(this.timer);
    this.dropped = true;
  }

  private async keep(): Promise<void> {
    if (!this.dirty) return;
    const { text, id, article } = this;
    try {
      if (id === null) {
        const made = await call('add_note', { article_id: article, quote: null, color: 'yellow', text });
        this.id = made.note.id;
        this.note(made.undo);
      } else this.note((await call('change_note', { note_id: id, text, color: null })).undo);
      this.saved = text;
      this.error = null;
      this.changed();
    } catch (error) {
      this.error = asIpcError(error);
    }
  }

  private note(step: number): void {
    this.steps.push(step);
    if (this.steps.length === 1) undo.push(this.entry);
  }
}
