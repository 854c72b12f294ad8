/** What feeds say of themselves for the eye, as the lists of them ask for it. */
import { call, type FeedHead } from '../ipc';

class Heads {
  private known = $state.raw<ReadonlyMap<number, FeedHead>>(new Map());

  of(feed: number): FeedHead | null {
    return this.known.get(feed) ?? null;
  }

  async load(feed: number): Promise<void> {
    try {
      const head = await call('feed_head', { feed_id: feed });
      this.known = new Map([...this.known, [feed, head]]);
    } catch (error) {
      // A list is as good without.
      console.warn('feed_head', error);
    }
  }
}

export const heads = new Heads();
