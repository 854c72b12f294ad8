/** Feeds, folders and counts. */
import { asIpcError, call, type Counts, type Feed, type Folder, type IpcError, type Overview } from '../ipc';
import { sharedTitles } from '../feed-names';
import { treeRows, unreadByFeed } from '../tree';

const NOTHING: Counts = { smart: { today: 0, unread: 0, starred: 0, all: 0 }, unread: [] };

/** Milliseconds. */
const COUNT_AFTER = 200;

/** Feeds, folders and counts as last reported by the core. */
class Library {
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  error = $state.raw<IpcError | null>(null);
  folders = $state.raw<readonly Folder[]>([]);
  feeds = $state.raw<readonly Feed[]>([]);
  counts = $state.raw<Counts>(NOTHING);
  firstRun = $state(false);

  readonly unread = $derived(unreadByFeed(this.counts.unread));
  readonly tree = $derived(treeRows(this.folders, this.feeds, this.unread));
  readonly feedById = $derived(new Map(this.feeds.map((feed) => [feed.id, feed])));
  /** The titles that several feeds have. */
  readonly sharedTitles = $derived(sharedTitles(this.feeds));
  readonly folderById = $derived(new Map(this.folders.map((folder) => [folder.id, folder])));

  private request = 0;
  private countTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Loads the library. Waits for `ready` and then for `first` before anything is shown. Returns false if the library
   * cannot be read.
   */
  async load(
    ready: Promise<unknown> = Promise.resolve(),
    first?: (overview: Overview) => Promise<unknown>,
  ): Promise<boolean> {
    const request = ++this.request;
    try {
      const [overview] = await Promise.all([call('overview'), ready]);
      await first?.(overview);
      // A later request has newer data.
      if (request !== this.request) return true;
      this.folders = overview.folders;
      this.feeds = overview.feeds;
      this.counts = overview.counts;
      this.firstRun = overview.first_run;
      this.error = null;
      this.status = 'ready';
      return true;
    } catch (error) {
      await Promise.allSettled([ready]);
      // If a reload fails, keep what is shown; the next change loads again.
      if (this.status !== 'ready') {
        this.error = asIpcError(error);
        this.status = 'failed';
      }
      return false;
    }
  }

  /** Clears the state before another library is loaded. */
  forget(): void {
    this.status = 'loading';
    this.folders = [];
    this.feeds = [];
    this.counts = NOTHING;
  }

  async loadCounts(): Promise<void> {
    const request = this.request;
    try {
      const counts = await call('counts');
      if (request === this.request) this.counts = counts;
    } catch (error) {
      console.warn('counts', error);
    }
  }

  /** Schedules a reload of the counts: the core sends no event for marks. */
  countSoon(): void {
    clearTimeout(this.countTimer);
    this.countTimer = setTimeout(() => void this.loadCounts(), COUNT_AFTER);
  }

  /** Adjusts the counts at once; the core's counts follow. */
  adjustCounts(changes: readonly { feedId: number; unread: number; starred: number }[]): void {
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- replaced as a whole
    const unread = new Map(this.unread);
    const smart = { ...this.counts.smart };
    for (const change of changes) {
      unread.set(change.feedId, Math.max(0, (unread.get(change.feedId) ?? 0) + change.unread));
      smart.unread = Math.max(0, smart.unread + change.unread);
      smart.starred = Math.max(0, smart.starred + change.starred);
    }
    this.counts = { smart, unread: [...unread].map(([feed_id, count]) => ({ feed_id, unread: count })) };
  }

  setOpen(folderId: number, open: boolean): void {
    this.folders = this.folders.map((folder) => (folder.id === folderId ? { ...folder, open } : folder));
    call('set_folder_open', { folder_id: folderId, open }).catch((error: unknown) =>
      console.warn('set_folder_open', error),
    );
  }
}

export const library = new Library();
