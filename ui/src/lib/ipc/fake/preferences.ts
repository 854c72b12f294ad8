/** What the fake is told of feeds, of folders and of all, and what holds by that. */
import type { AheadSettings, Feed, FeedScope, Preferences, PreferencesFrom, PreferencesSaid } from '../generated';
import type { FakeLibrary } from './library';

const NOTHING: Preferences = {
  refresh_minutes: null,
  ahead: null,
  full_text_when: null,
  full_text_first: null,
  load_images: null,
  notify: null,
};
const NAMES = Object.keys(NOTHING) as (keyof Preferences)[];

export class FakePreferences {
  private readonly said = new Map<string, Preferences>();

  constructor(
    private readonly library: FakeLibrary,
    private readonly ahead: () => AheadSettings,
  ) {}

  private readonly asked = new Map<number, number | null>();

  private often(feed: number): number | null {
    return this.asked.get(feed) ?? null;
  }

  private own(scope: FeedScope): Preferences {
    return this.said.get(scope.kind === 'all' ? 'all' : `${scope.kind} ${String(scope.id)}`) ?? NOTHING;
  }

  /** The folders around it, the nearest first. */
  private around(scope: FeedScope): { id: number; name: string }[] {
    if (scope.kind === 'all') return [];
    const of = (id: number | null | undefined) => this.library.folders.find((folder) => folder.id === id);
    const inside =
      scope.kind === 'feed'
        ? this.library.feeds.find((feed) => feed.id === scope.id)?.folder_id
        : of(scope.id)?.parent_id;
    const folders = [];
    for (let folder = of(inside); folder; folder = of(folder.parent_id)) folders.push(folder);
    return folders;
  }

  of(scope: FeedScope): PreferencesSaid {
    const { full_text, load_images } = this.library.settings;
    const all: Preferences = {
      ...this.own({ kind: 'all' }),
      ahead: this.ahead().all,
      full_text_when: full_text,
      load_images,
    };
    const inherited: Record<string, unknown> = { ...all };
    const from: Record<string, string | null> = {};
    for (const name of NAMES) {
      const folder = this.around(scope).find(({ id }) => this.own({ kind: 'folder', id })[name] !== null);
      from[name] = folder?.name ?? null;
      if (folder) inherited[name] = this.own({ kind: 'folder', id: folder.id })[name];
    }
    const flags = { full_text_first: inherited['full_text_first'] ?? false, notify: inherited['notify'] ?? false };
    return {
      own: this.own(scope),
      inherited: { ...inherited, ...flags } as Preferences,
      from: from as PreferencesFrom,
    };
  }

  /** What holds for a feed. */
  holding(feed: number): Preferences {
    const { own, inherited } = this.of({ kind: 'feed', id: feed });
    const said = Object.entries(own).filter(([, value]) => value !== null);
    return { ...inherited, ...(Object.fromEntries(said) as Partial<Preferences>) };
  }

  /** Whether it or a folder says so. */
  says(feed: number, name: keyof Preferences): boolean {
    const { own, from } = this.of({ kind: 'feed', id: feed });
    return own[name] !== null || from[name] !== null;
  }

  /** Whether a feed's pictures are shown, where it or a folder says so. */
  pictures(feed: Feed): boolean | null {
    const { own, from, inherited } = this.of({ kind: 'feed', id: feed.id });
    return own.load_images ?? (from.load_images === null ? null : inherited.load_images);
  }

  handlers(asked: (feed: Feed, minutes: number | null) => void, changed: () => void) {
    return {
      preferences: (scope: FeedScope) => this.of(scope),
      set_preferences: ({ scope, preferences }: { scope: FeedScope; preferences: Preferences }) => {
        this.said.set(scope.kind === 'all' ? 'all' : `${scope.kind} ${String(scope.id)}`, preferences);
        for (const feed of this.library.feeds) {
          feed.load_images = this.pictures(feed);
          const minutes = this.holding(feed.id).refresh_minutes;
          if (this.often(feed.id) !== minutes) asked(feed, minutes === -1 ? null : minutes);
          this.asked.set(feed.id, minutes);
        }
        changed();
        return null;
      },
    };
  }
}
