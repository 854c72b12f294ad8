/** The current day, as reactive state: "Today" and "Yesterday" change in a window that stays open overnight. */

// eslint-disable-next-line svelte/prefer-svelte-reactivity -- not displayed
const dayOf = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);

class Today {
  /** Start of the day, in Unix milliseconds. */
  private start = $state(dayOf(Date.now()));

  /** Now, in Unix milliseconds. What is drawn with it is drawn again on the next day. */
  get now(): number {
    void this.start;
    return Date.now();
  }

  /** Returns whether another day has begun since the last call. */
  update(): boolean {
    const before = this.start;
    this.start = dayOf(Date.now());
    return this.start !== before;
  }
}

export const today = new Today();
