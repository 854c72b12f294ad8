import { asIpcError, call, type Counts, type Feed, type Folder, type IpcError, type Overview } from '../ipc';
import { treeRows, unreadByFeed } from '../tree';

const NOTHING: Counts = { smart: { today: 0, unread: 0, starred: 0, all: 0 }, unread: [] };

/** Milliseconds. */
export const COUNT_AFTER = 200;

/** Feeds, folders and counts as the core last told them. */
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
  readonly folderById = $derived(new Map(this.folders.map((folder) => [folder.id, folder])));

  private asked = 0;
  private counting: ReturnType<typeof setTimeout> | undefined;

  /** Nothing is shown before `ready`; `first` comes before anything is drawn. False where it cannot be read. */
  async load(ready: Promise<unknown> = Promise.resolve(), first?: (overview: Overview) => void): Promise<boolean> {
    const asked = ++this.asked;
    try {
      const [overview] = await Promise.all([call('overview'), ready]);
      first?.(overview);
      // What was asked for later knows better.
      if (asked !== this.asked) return true;
      this.folders = overview.folders;
      this.feeds = overview.feeds;
      this.counts = overview.counts;
      this.firstRun = overview.first_run;
      this.error = null;
      this.status = 'ready';
      return true;
    } catch (error) {
      await Promise.allSettled([ready]);
      // Once the window stands, a failed reload leaves what is shown; the next change asks again.
      if (this.status !== 'ready') {
        this.error = asIpcError(error);
        this.status = 'failed';
      }
      return false;
    }
  }

  /** Another library took the place of this one: what is known is not about it. */
  forget(): void {
    this.status = 'loading';
    this.folders = [];
    this.feeds = [];
    this.counts = NOTHING;
  }

  async loadCounts(): Promise<void> {
    const asked = this.asked;
    try {
      const counts = await call('counts');
      if (asked === this.asked) this.counts = counts;
    } catch (error) {
      console.warn('counts', error);
    }
  }

  /** The core tells nobody of marks: it is asked for the counts when a row of them is over. */
  countSoon(): void {
    clearTimeout(this.counting);
    this.counting = setTimeout(() => void this.loadCounts(), COUNT_AFTER);
  }

  /** Moves the counts at once; the core's own follow. */
  shift(changes: readonly { feedId: number; unread: number; starred: number }[]): void {
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
