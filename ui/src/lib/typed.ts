/** Letters typed in quick succession select the row whose name begins with them. */
import { fold } from './fold';

/** Milliseconds after which a letter begins a new word. */
const PAUSE = 800;

export class Typed {
  private word = '';
  private until = 0;

  /** Returns whether a word is being typed, so that a space belongs to it. */
  going(now: number): boolean {
    return this.word !== '' && now < this.until;
  }

  /**
   * Adds a letter. Returns the index of the first name from `from` on that begins with the word, or `from` if there is none.
   * A word of one letter is searched from the next name on, so repeating the letter goes through all names with it.
   */
  find(names: readonly string[], from: number, letter: string, now: number): number {
    this.word = this.going(now) ? this.word + fold(letter) : fold(letter);
    this.until = now + PAUSE;
    const same = [...this.word].every((one) => one === this.word[0]);
    const wanted = same ? (this.word[0] ?? '') : this.word;
    for (let step = same ? 1 : 0; step <= names.length; step++) {
      const index = (from + step) % names.length;
      if (fold(names[index] ?? '').startsWith(wanted)) return index;
    }
    return from;
  }
}
