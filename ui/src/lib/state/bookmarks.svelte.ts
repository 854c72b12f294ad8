/** Finds the feeds of bookmarked sites: one site after the other, since each site is requested. */
import { asIpcError, call, type Bookmark, type FolderChoice, type IpcError } from '../ipc';
import { t } from '../messages';
import { subscribed } from './add-feed';
import { library } from './library.svelte';
import { list } from './list.svelte';

export type Search = { readonly done: number; readonly total: number; readonly site: string };

/** A site whose feed was not found. `error`: why the site could not be read; `null`: it has no feed. */
export type Unfound = { readonly site: Bookmark; readonly error: IpcError | null };

/** Returns the name of a site. */
export const siteTitle = ({ title, url }: Bookmark): string =>
  title || url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/.*$/, '');

class Bookmarks {
  /** The search that is running. */
  search = $state.raw<Search | null>(null);
  private run = 0;

  /**
   * Subscribes to the first feed of each site, in a folder named like that of the bookmark if `keepFolders`. Returns the sites whose feed was not found; `null` if it was cancelled. Rejects with
   * an `IpcError` if the computer is offline.
   */
  async subscribe(sites: readonly Bookmark[], keepFolders = false): Promise<Unfound[] | null> {
    const mine = ++this.run;
    const without: Unfound[] = [];
    const made: number[] = [];
    const first = library.firstRun;
    try {
      for (const [done, site] of sites.entries()) {
        this.search = { done, total: sites.length, site: siteTitle(site) };
        try {
          const feed = await this.feedOf(site.url);
          if (mine !== this.run) return null;
          if (feed === null) without.push({ site, error: null });
          else if (feed !== 'subscribed') made.push(await subscribeTo(feed, keepFolders ? site.folder : undefined));
        } catch (error) {
          without.push({ site, error: asIpcError(error) });
        }
        if (mine !== this.run) return null;
      }
      const [first] = without;
      if (first?.error && without.length === sites.length && without.every(isOffline)) throw first.error;
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
      const { code } = asIpcError(error);
      if (code === 'no_feed' || code.startsWith('not_a_feed')) return null;
      throw error;
    }
  }
}

const isOffline = ({ error }: Unfound): boolean => error?.code === 'offline';

/** Returns the feed's id. */
async function subscribeTo(url: string, name?: string): Promise<number> {
  const folder: FolderChoice = name ? { kind: 'new', name } : { kind: 'none' };
  const added = await call('subscribe', { url, title: null, folder, connection: null });
  return added.feed_id;
}

export const bookmarks = new Bookmarks();
