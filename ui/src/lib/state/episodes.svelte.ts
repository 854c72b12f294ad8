/** Episodes that are downloaded to play them offline. The core stores and downloads them. */
import { call, type EpisodeDownload, type EpisodeProgress, type EpisodeSettings } from '../ipc';
import { t } from '../messages';
import { list } from './list.svelte';
import { player } from './player.svelte';
import { toasts } from './toasts.svelte';
import { undo, type UndoEntry } from './undo.svelte';

const keyOf = ({ id, url }: { readonly id: number; readonly url: string }): string => `${String(id)} ${url}`;

const addedText = (count: number): string =>
  count === 0 ? t('downloads.added.none') : t('downloads.added', { count });

class Episodes {
  all = $state.raw<readonly EpisodeDownload[]>([]);
  settings = $state.raw<EpisodeSettings | null>(null);
  /** Downloads that are running, as last reported. */
  private running = $state.raw<ReadonlyMap<string, EpisodeProgress>>(new Map());

  private readonly byKey = $derived(new Map(this.all.map((episode) => [keyOf(episode), episode])));
  /** The newest download of each article. */
  private readonly byArticle = $derived(new Map(this.all.toReversed().map((episode) => [episode.id, episode])));
  /** Number of articles with a download. */
  readonly articles = $derived(this.byArticle.size);

  /** Size of all files. */
  readonly bytes = $derived(this.all.reduce((sum, { bytes }) => sum + bytes, 0));

  /** Returns the download of a file, or the newest one of an article. */
  of(id: number, url: string | null = null): EpisodeDownload | undefined {
    return url === null ? this.byArticle.get(id) : this.byKey.get(keyOf({ id, url }));
  }

  /** Returns the progress of a running download. */
  progress(episode: EpisodeDownload): EpisodeProgress | undefined {
    return episode.state === 'queued' ? this.running.get(keyOf(episode)) : undefined;
  }

  readonly load = async (): Promise<void> => {
    try {
      this.onChanged(await call('episodes'));
    } catch (error) {
      console.warn('episodes', error);
    }
  };

  onChanged(all: readonly EpisodeDownload[]): void {
    this.all = all;
    const queued = new Set(all.filter(({ state }) => state === 'queued').map(keyOf));
    this.running = new Map([...this.running].filter(([key]) => queued.has(key)));
    if (list.source.kind === 'downloads') void list.catchUp();
  }

  onProgress(progress: EpisodeProgress): void {
    this.running = new Map([...this.running, [keyOf(progress), progress]]);
  }

  /** Queues the first audio or video file of each article, or the one with this address. */
  async download(ids: readonly number[], url: string | null = null): Promise<void> {
    // Those that are downloaded already stay if the others are cancelled.
    const added = ids.filter((id) => [undefined, 'failed'].includes(this.of(id, url)?.state));
    const cancel = { label: t('dialog.cancel'), run: () => void this.cancel(added, url) };
    try {
      const count = await call('download_episodes', { ids: [...ids], url });
      toasts.show(addedText(count), count > 0 && added.length > 0 ? { action: cancel } : {});
    } catch (error) {
      toasts.error(error);
    }
  }

  /** Removes an article without downloads from their list. */
  private leaveList(id: number): void {
    if (list.source.kind === 'downloads' && !this.all.some((other) => other.id === id)) list.without(id);
  }

  /** Cancels downloads that were just queued. */
  private async cancel(ids: readonly number[], url: string | null): Promise<void> {
    try {
      await call('remove_episodes', { ids: [...ids], url });
      for (const id of ids) this.leaveList(id);
      toasts.show(t('downloads.cancelled', { count: ids.length }));
    } catch (error) {
      toasts.error(error);
    }
  }

  /** Cancels a download or removes its file. Undoing it downloads the file again. */
  readonly remove = undo.action(async (episode: EpisodeDownload): Promise<void> => {
    const { id, url, title } = episode;
    try {
      await call('remove_episodes', { ids: [id], url });
      this.leaveList(id);
      const did = t('downloads.removed', { title: title || t('list.untitled') });
      let count = 0;
      const entry: UndoEntry = {
        // Not a step of the core.
        step: 0,
        did,
        undid: () => addedText(count),
        undoStep: async () => {
          count = await call('download_episodes', { ids: [id], url });
        },
        restore: () => {},
        again: () => this.remove(episode),
      };
      undo.push(entry);
      toasts.show(did, { action: undo.button(entry) });
    } catch (error) {
      toasts.error(error);
    }
  });

  async loadSettings(): Promise<void> {
    try {
      this.settings = await call('episode_settings');
    } catch (error) {
      toasts.error(error);
    }
  }

  async change(part: Partial<EpisodeSettings>): Promise<void> {
    if (!this.settings) return;
    this.settings = { ...this.settings, ...part };
    try {
      await call('save_episode_settings', this.settings);
    } catch (error) {
      toasts.error(error);
      await this.loadSettings();
    }
  }
}

export const episodes = new Episodes();
player.localUrl = (id, url) => episodes.of(id, url)?.local_url ?? null;
