import { SvelteMap } from 'svelte/reactivity';
import { asIpcError, call, type BackfillProgress, type Feed } from '../ipc';
import { t } from '../messages';
import { endText } from '../messages/reach';
import { dialogs } from './dialogs.svelte';
import { library } from './library.svelte';
import { toasts } from './toasts.svelte';

/** As far as `glean backfill` goes by itself. */
const PAGES = 50;

/** The histories that are being fetched, and what came of those that were. */
class Backfills {
  private progress = new SvelteMap<number, BackfillProgress>();
  private pages = new Map<number, number>();

  of(feedId: number): BackfillProgress | undefined {
    return this.progress.get(feedId);
  }

  /** After the limit of pages it goes further than before. */
  async start(feed: Pick<Feed, 'id'>): Promise<void> {
    const before = this.of(feed.id);
    if (before?.ended === null) return;
    const pages = before?.ended.kind === 'limit' ? (this.pages.get(feed.id) ?? PAGES) * 4 : PAGES;
    this.pages.set(feed.id, pages);
    this.progress.set(feed.id, { feed_id: feed.id, pages: 0, articles: 0, ended: null });
    try {
      await call('backfill', { feed_id: feed.id, pages });
    } catch (cause) {
      const { code, message } = asIpcError(cause);
      if (code === 'busy') return;
      this.progress.set(feed.id, { feed_id: feed.id, pages: 0, articles: 0, ended: { kind: 'failed', message } });
    }
  }

  cancel(feedId: number): void {
    call('cancel_backfill', { feed_id: feedId }).catch((error: unknown) => toasts.error(error));
  }

  heard(progress: BackfillProgress): void {
    this.progress.set(progress.feed_id, progress);
    const end = endText(progress, Date.now());
    const feed = library.feedById.get(progress.feed_id);
    const shown = dialogs.open?.kind === 'about_feed' && dialogs.open.feed.id === progress.feed_id;
    if (end !== null && feed && !shown) toasts.show(t('older.done', { title: feed.title, what: end }));
  }
}

export const backfills = new Backfills();
