/** Finds the feeds of bookmarked sites: one site after the other, since finding its feeds takes requests to it. */
import { asIpcError, call, type Bookmark } from '../ipc';
import { t } from '../messages';
import { subscribed } from './add-feed';
import { library } from './library.svelte';
import { list } from './list.svelte';

export type Search = { readonly done: number; readonly total: number; readonly site: string };

/** Returns the name of a site. */
export const siteTitle = ({ title, url }: Bookmark): string =>
  title || url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/.*$/, '');

class Bookmarks {
  /** The search that is running. */
  search = $state.raw<Search | null>(null);
  private run = 0;

  /** Subscribes to the first feed of each site. Returns the sites without a feed; `null` if it was cancelled. */
  async subscribe(sites: readonly Bookmark[]): Promise<Bookmark[] | null> {
    const mine = ++this.run;
    const without: Bookmark[] = [];
    const made: number[] = [];
    const first = library.firstRun;
    try {
      for (const [done, site] of sites.entries()) {
        this.search = { done, total: sites.length, site: siteTitle(site) };
        const feed = await this.feedOf(site.url);
        if (mine !== this.run) return null;
        if (feed === null) without.push(site);
        else if (feed !== 'subscribed') {
          const added = await call('subscribe', {
            url: feed,
            title: null,
            folder: { kind: 'none' },
            connection: null,
          });
          made.push(added.feed_id);
          if (mine !== this.run) return null;
        }
      }
      return without;
    } finally {
      if (mine === this.run) this.search = null;
      // Also after an error: what was subscribed until then can be undone.
      if (made.length > 0) {
        subscribed(made, t('starter.done', { count: made.length }));
        await library.load();
        if (first) await list.show({ kind: 'all' });
      }
    }
  }

  /** Stops the search; what was found stays. */
  cancel(): void {
    if (!this.search) return;
    this.run++;
    this.search = null;
    call('cancel_discover').catch((error: unknown) => console.warn('cancel_discover', error));
  }

  private async feedOf(address: string): Promise<string | null> {
    try {
      const answer = await call('discover', { address, connection: null });
      if (answer.kind !== 'feeds' || answer.candidates.length === 0) return null;
      if (answer.candidates.some((one) => one.subscribed !== null)) return 'subscribed';
      return answer.candidates[0]?.url ?? null;
    } catch (error) {
      // Nothing is found at any site.
      if (asIpcError(error).code === 'offline') throw error;
      // The site has no feed or is gone: it is listed.
      return null;
    }
  }
}

export const bookmarks = new Bookmarks();
