/** Header data of feeds (description, image, search box), loaded when their list is shown. */
import { call, type FeedHeader } from '../ipc';

class FeedHeaders {
  private known = $state.raw<ReadonlyMap<number, FeedHeader>>(new Map());

  of(feed: number): FeedHeader | null {
    return this.known.get(feed) ?? null;
  }

  async load(feed: number): Promise<void> {
    try {
      const head = await call('feed_header', { feed_id: feed });
      this.known = new Map([...this.known, [feed, head]]);
    } catch (error) {
      // The list works without a header.
      console.warn('feed_header', error);
    }
  }

  /** Clears the headers: in a library that replaces this one, other feeds may have these ids. */
  forget(): void {
    this.known = new Map();
  }
}

export const feedHeaders = new FeedHeaders();
