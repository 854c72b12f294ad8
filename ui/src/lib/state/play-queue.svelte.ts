/** The play queue: what plays when the current audio or video ends. The core stores it. */
import { call, type QueuedEpisode } from '../ipc';
import { t } from '../messages';
import { offerUndo, undoable } from './feeds';
import { library } from './library.svelte';
import { player } from './player.svelte';
import { toasts } from './toasts.svelte';
import { undo } from './undo.svelte';

class PlayQueue {
  all = $state.raw<readonly QueuedEpisode[]>([]);
  /** Number of changes that are on their way. */
  private changing = 0;
  /** Number of requests for the queue so far, and the number of the request whose answer is shown. */
  private loads = 0;
  private shown = 0;

  readonly load = async (): Promise<void> => {
    const load = ++this.loads;
    try {
      const all = await call('play_queue');
      // It may lack a change that is shown already. The last change loads the queue again.
      if (load < this.shown || this.changing > 0) return;
      this.shown = load;
      this.all = all;
    } catch (error) {
      toasts.error(error);
    }
  };

  private readonly reload = (): void => void this.load();

  /** Returns the articles whose audio or video can be added: the item that is playing needs no place in the queue. */
  addable(ids: readonly number[]): number[] {
    return ids.filter((id) => id !== player.now?.id);
  }

  /** Adds the first audio or video file of each article but the one that plays, or the file with this address. */
  async add(articles: readonly number[], next: boolean, url: string | null = null): Promise<void> {
    const ids = url === null ? this.addable(articles) : [...articles];
    if (ids.length === 0 && articles.length > 0) return;
    await this.attempt(async () => {
      const count = await call('add_to_play_queue', { ids, url, next });
      if (count === 0) return void toasts.show(t('queue.added.none'));
      if (count === 1) this.all = await call('play_queue');
      const at = next ? 0 : this.all.length - 1;
      const added = count === 1 ? this.all[at] : undefined;
      const title = added?.title || t('list.untitled');
      if (!added) toasts.show(t(next ? 'queue.added.next' : 'queue.added.later', { count }));
      else if (next) toasts.show(t('queue.added.next.title', { title }));
      else toasts.show(t('queue.added.later.title', { title, place: at + 1 }));
    });
  }

  /** Moves an episode to a position, from 0. */
  async move(episode: QueuedEpisode, to: number): Promise<void> {
    const { id, url, title } = episode;
    const from = this.all.findIndex((one) => one.id === id && one.url === url);
    const moved = this.all[from];
    if (!moved || to < 0 || to >= this.all.length || to === from) return;
    // Shown at once.
    this.all = this.all.toSpliced(from, 1).toSpliced(to, 0, moved);
    await this.attempt(async () => {
      await call('move_in_play_queue', { id, url, to });
      offerUndo({
        // Not a step of the core.
        step: 0,
        did: t('queue.moved', { title: title || t('list.untitled'), place: to + 1 }),
        undoStep: async () => {
          await call('move_in_play_queue', { id, url, to: from });
          // Doing it again compares with the order that is shown.
          await this.load();
        },
        restore: () => {},
        again: () => this.move(episode, to),
      });
    });
  }

  readonly remove = undo.single(
    ({ id, url }: QueuedEpisode) => `${id} ${url}`,
    (episode) =>
      this.attempt(async () => {
        const { id, url, title } = episode;
        const { undo } = await call('remove_from_play_queue', { id, url });
        const text = t('queue.removed', { title: title || t('list.untitled') });
        undoable(text, undo, this.reload, () => this.remove(episode));
      }),
  );

  async clear(): Promise<void> {
    await this.attempt(async () => {
      const { undo } = await call('clear_play_queue');
      undoable(t('queue.cleared'), undo, this.reload, () => this.clear());
    });
  }

  /** An item that starts to play leaves the queue, wherever it was started. */
  onStarted(id: number, url: string): void {
    if (!this.all.some((one) => one.id === id && one.url === url)) return;
    void this.attempt(() => call('remove_from_play_queue', { id, url }));
  }

  play(episode: QueuedEpisode): void {
    const { id, feed_id, title, url, video, duration, seconds, finished, thumbnail } = episode;
    player.start(
      {
        id,
        feed_id,
        feed: library.feedById.get(feed_id)?.title ?? '',
        title: title || t('list.untitled'),
        url,
        video,
        // The core knows; an article without chapters has an empty list.
        has_chapters: true,
        artwork: thumbnail,
      },
      { url, seconds, duration, finished },
    );
  }

  /** Plays the first episode, if there is one. */
  playNext(): void {
    const first = this.all[0];
    if (first) this.play(first);
  }

  private readonly attempt = undo.action(async (run: () => Promise<unknown>): Promise<void> => {
    this.changing++;
    try {
      await run();
    } catch (error) {
      toasts.error(error);
    } finally {
      this.changing--;
    }
    await this.load();
  });
}

export const playQueue = new PlayQueue();
player.ended = () => playQueue.playNext();
player.started = (id, url) => playQueue.onStarted(id, url);
