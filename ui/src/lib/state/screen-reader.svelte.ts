/** Announces to screen readers actions whose result is otherwise only visible, such as a star in a row. */
class ScreenReader {
  text = $state('');

  say(text: string): void {
    // A changed string makes screen readers repeat the same text.
    this.text = text === this.text ? `${text}\u00a0` : text;
  }
}

export const screenReader = new ScreenReader();
