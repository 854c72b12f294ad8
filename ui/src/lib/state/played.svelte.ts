/** How far the episodes of articles were played: as stored in the rows, or newer if played in this window. */
import { call, type ArticleRow, type Playback, type Played } from '../ipc';

type Row = Pick<ArticleRow, 'id' | 'media' | 'played'>;

class PlayedArticles {
  /** By the article's id; `null` if nothing of it is started. */
  private newer = $state.raw<ReadonlyMap<number, Played | null>>(new Map());
  /** Number of changes, by which a late response is recognised. */
  private changes = 0;

  /** Returns how far an article was played; without an episode only in "Continue listening". */
  of({ id, media, played }: Row): Played | null {
    if (media === null && !played) return null;
    const newer = this.newer.get(id);
    return newer === undefined ? (played ?? null) : newer;
  }

  private set(id: number, played: Played | null): void {
    this.newer = new Map([...this.newer, [id, played]]);
  }

  /** Saves the position in a file of an article. */
  async save(id: number, playback: Playback): Promise<void> {
    const change = ++this.changes;
    this.set(id, playback);
    // The core knows the article's other files, too.
    const played = await call('save_playback', { id, playback });
    if (change === this.changes) this.set(id, played);
  }

  /** Sets whether a started article counts as played to its end, as the core does. */
  setFinished(row: Row, finished: boolean): void {
    this.changes++;
    const played = this.of(row);
    if (played) this.set(row.id, { ...played, finished });
  }

  /** In a library that replaces this one, other articles may have these ids. */
  forget(): void {
    this.changes++;
    this.newer = new Map();
  }
}

export const playedArticles = new PlayedArticles();
