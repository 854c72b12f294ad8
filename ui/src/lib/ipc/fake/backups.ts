import type { Backup, BackupOccasion, Backups, Renewed } from '../generated';
import { fail, type FakeLibrary } from './library';

const FOLDER = '/home/you/.local/share/gleaner';
const DAY = 86_400_000;

/** Copies of the fake's library. Those that were there before are without what came in since. */
export class FakeBackups {
  private readonly kept: { backup: Backup; articles: FakeLibrary['articles'] | null }[] = [];

  constructor(
    private readonly library: FakeLibrary,
    public damaged: boolean,
    none: boolean,
  ) {
    const now = Date.now();
    const made: [number, BackupOccasion, number][] = none
      ? []
      : [
          [0.4, 'daily', 38_400_000],
          [1.4, 'daily', 38_100_000],
          [6, 'upgrade', 36_700_000],
          [40, 'by_hand', 21_900_000],
        ];
    for (const [days, occasion, bytes] of made) this.add(now - days * DAY, occasion, bytes, null);
  }

  list(): Backups {
    const backups = this.kept.map(({ backup }) => backup).toSorted((a, b) => b.at - a.at);
    return { folder: FOLDER, aside: `${FOLDER}/aside`, backups };
  }

  make(): Backup {
    return this.add(Date.now(), 'by_hand', 38_500_000, structuredClone(this.library.articles));
  }

  restore(name: string): Renewed {
    const found = this.kept.find(({ backup }) => backup.name === name);
    if (!found) throw fail('not_found');
    this.library.articles =
      found.articles ?? this.library.articles.filter((article) => article.received <= found.backup.at);
    return this.renewed([], found.backup);
  }

  recover(): Renewed {
    const lost = this.damaged ? [{ what: 'bodies', pieces: 3 }] : [];
    return this.renewed(lost, lost.length > 0 ? (this.list().backups[0] ?? null) : null);
  }

  private renewed(lost: Renewed['lost'], from: Backup | null): Renewed {
    this.damaged = false;
    const { feeds, articles } = this.library;
    return { feeds: feeds.length, articles: articles.length, lost, from, aside: `${FOLDER}/aside/${Date.now()}` };
  }

  private add(at: number, occasion: BackupOccasion, bytes: number, articles: FakeLibrary['articles'] | null): Backup {
    const stamp = new Date(at).toISOString().replace(/[-:.Z]/g, '');
    const backup = { name: `${stamp}-${occasion.replace('_', '-')}.sqlite`, at, bytes, occasion };
    this.kept.push({ backup, articles });
    return backup;
  }
}
