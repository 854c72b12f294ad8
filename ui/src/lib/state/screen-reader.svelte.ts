/** What screen readers say of actions that show their result only where it happened, such as a star in a row. */
class ScreenReader {
  text = $state('');

  say(text: string): void {
    // A changed string makes screen readers repeat the same text.
    this.text = text === this.text ? `${text}\u00a0` : text;
  }
}

export const screenReader = new ScreenReader();
