/** The fake's notes, of the first articles. */
import type { Commands, Note, NoteColor } from '../generated';
import { fail, type FakeLibrary, thrown } from './library';
import { SENTENCES } from './words';

type Name = 'notes' | 'add_note' | 'change_note' | 'delete_note' | 'notes_markdown' | 'noted_in_feed';
type Handlers = { [N in Name]: (args: Commands[N]['args']) => Commands[N]['result'] };
type Kept = Note & { article: number };

export class FakeNotes {
  private all: Kept[] = [];

  constructor(private readonly library: FakeLibrary) {
    library.noted = (article) => this.all.some((note) => note.article === article.id);
  }

  fill(): void {
    const article = this.library.articles[0];
    if (!article) return;
    const quote = (exact: string) => ({ exact, prefix: '', suffix: '', start: 0 });
    this.put(
      article.id,
      quote('liberal in what you accept'),
      'green',
      'Postel, and what came of it.\n\n- feeds\n- mail',
    );
    this.put(article.id, quote(SENTENCES[article.id % SENTENCES.length] ?? ''), 'yellow', '');
    this.put(article.id, quote('What the article said before it was mended.'), 'pink', 'It was a good line.');
    this.put(article.id, null, 'yellow', 'To be read again in spring.');
  }

  private put(article: number, quote: Note['quote'], color: NoteColor, text: string): Kept {
    const id = this.library.nextId++;
    const note: Kept = { article, id, quote, color, text, created: Date.now(), changed: Date.now() };
    this.all = [...this.all, note];
    return note;
  }

  handlers(undoable: (back: () => void) => number, told: () => void): Handlers {
    const back = () => {
      const { all } = this;
      return undoable(() => (this.all = all));
    };
    const of = (id: number) => this.all.find((note) => note.id === id) ?? thrown(fail('not_found'));
    const plain = ({ id, quote, color, text, created, changed }: Kept): Note => ({
      id,
      quote,
      color,
      text,
      created,
      changed,
    });
    return {
      notes: ({ id }) => this.all.filter((note) => note.article === id).map(plain),
      add_note: ({ article_id, quote, color, text }) => {
        const undo = back();
        const note = this.put(article_id, quote, color, text.trim());
        told();
        return { note: plain(note), undo };
      },
      change_note: ({ note_id, color, text }) => {
        const undo = back();
        const note = of(note_id);
        const now = { ...note, color: color ?? note.color, text: text?.trim() ?? note.text };
        this.all = this.all.flatMap((other) => (other !== note ? other : now.quote || now.text ? now : []));
        told();
        return { undo };
      },
      delete_note: ({ note_id }) => {
        const undo = back();
        const note = of(note_id);
        this.all = this.all.filter((other) => other !== note);
        told();
        return { undo };
      },
      notes_markdown: ({ article_ids }) =>
        this.all
          .filter((note) => article_ids.includes(note.article))
          .map((note) => [note.quote && `> ${note.quote.exact}`, note.text].filter(Boolean).join('\n\n'))
          .join('\n\n'),
      noted_in_feed: ({ feed_id }) =>
        this.library.articles.filter((article) => article.feed_id === feed_id && this.library.noted(article)).length,
    };
  }
}
