/** Downloads of older articles of feeds. */
import { SvelteMap } from 'svelte/reactivity';
import { asIpcError, call, type BackfillProgress, type Feed } from '../ipc';
import { t } from '../messages';
import { backfillEndText } from '../messages/backfill';
import { dialogs } from './dialogs.svelte';
import { library } from './library.svelte';
import { toasts } from './toasts.svelte';

/** Default page limit, the same as in `glean backfill`. */
const PAGES = 50;

/** Running and finished downloads of feed archives. */
class Backfills {
  private progress = new SvelteMap<number, BackfillProgress>();
  private pages = new Map<number, number>();

  of(feedId: number): BackfillProgress | undefined {
    return this.progress.get(feedId);
  }

  /** Starts a download. If the last one stopped at its page limit, the limit is raised. */
  async start(feed: Pick<Feed, 'id'>): Promise<void> {
    const before = this.of(feed.id);
    if (before?.ended === null) return;
    const pages = before?.ended.kind === 'limit' ? (this.pages.get(feed.id) ?? PAGES) * 4 : PAGES;
    this.pages.set(feed.id, pages);
    this.progress.set(feed.id, { feed_id: feed.id, pages: 0, articles: 0, ended: null });
    try {
      await call('backfill', { feed_id: feed.id, pages });
    } catch (cause) {
      const error = asIpcError(cause);
      if (error.code === 'busy') return;
      this.progress.set(feed.id, { feed_id: feed.id, pages: 0, articles: 0, ended: { kind: 'failed', error } });
    }
  }

  cancel(feedId: number): void {
    call('cancel_backfill', { feed_id: feedId }).catch((error: unknown) => toasts.error(error));
  }

  /** Clears the downloads for feeds of a replaced library. */
  forget(): void {
    this.progress.clear();
    this.pages.clear();
  }

  onProgress(progress: BackfillProgress): void {
    this.progress.set(progress.feed_id, progress);
    const end = backfillEndText(progress, Date.now());
    const feed = library.feedById.get(progress.feed_id);
    const shown = dialogs.open?.kind === 'feed_info' && dialogs.open.feed.id === progress.feed_id;
    if (end !== null && feed && !shown) toasts.show(t('backfill.done', { title: feed.title, what: end }));
  }
}

export const backfills = new Backfills();
