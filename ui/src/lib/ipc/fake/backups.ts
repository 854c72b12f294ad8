import type { Backup, BackupOccasion, Backups, Renewed, RestoreBackup } from '../generated';
import { fail, type FakeLibrary } from './library';

const FOLDER = '/home/you/.local/share/gleaner';
const DAY = 86_400_000;

type Copy = Pick<FakeLibrary, 'articles' | 'feeds' | 'folders'>;

/** Copies of the fake's library. Those that were there before are without what came in since. */
export class FakeBackups {
  private readonly kept: { backup: Backup; copy: Copy | null }[] = [];

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

  handlers(slowly: (times: number) => Promise<void>) {
    return {
      backups: () => this.list(),
      back_up: () => this.make(),
      restore_backup: async ({ name }: RestoreBackup) => {
        await slowly(40);
        return this.restore(name);
      },
      recover_library: async () => {
        await slowly(80);
        return this.recover();
      },
      show_library_folder: () => null,
    };
  }

  list(): Backups {
    const backups = this.kept.map(({ backup }) => backup).toSorted((a, b) => b.at - a.at);
    return { folder: FOLDER, aside: `${FOLDER}/aside`, backups };
  }

  private make(): Backup {
    const { articles, feeds, folders } = this.library;
    return this.add(Date.now(), 'by_hand', 38_500_000, structuredClone({ articles, feeds, folders }));
  }

  private restore(name: string): Renewed {
    const found = this.kept.find(({ backup }) => backup.name === name);
    if (!found) throw fail('not_found');
    if (found.copy) Object.assign(this.library, structuredClone(found.copy));
    else this.library.articles = this.library.articles.filter((article) => article.received <= found.backup.at);
    return this.renewed([], found.backup);
  }

  private recover(): Renewed {
    const lost = this.damaged ? [{ what: 'bodies', pieces: 3 }] : [];
    return this.renewed(lost, lost.length > 0 ? (this.list().backups[0] ?? null) : null);
  }

  private renewed(lost: Renewed['lost'], from: Backup | null): Renewed {
    this.damaged = false;
    const { feeds, articles } = this.library;
    return { feeds: feeds.length, articles: articles.length, lost, from, aside: `${FOLDER}/aside/${Date.now()}` };
  }

  private add(at: number, occasion: BackupOccasion, bytes: number, copy: Copy | null): Backup {
    const stamp = new Date(at).toISOString().replace(/[-:.Z]/g, '');
    const backup = { name: `${stamp}-${occasion.replace('_', '-')}.sqlite`, at, bytes, occasion };
    this.kept.push({ backup, copy });
    return backup;
  }
}
