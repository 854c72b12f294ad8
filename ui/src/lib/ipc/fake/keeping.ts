/** What the fake keeps, and its articles' former versions. */
import type { Keep, KeepPreview, Keeping, FeedScope, SetKeep } from '../generated';
import type { FakeArticle } from './articles';
import type { FakeLibrary } from './library';

const DAY = 86_400_000;
const EVERYTHING: Keep = { days: null, articles: null, bytes: null, keep_unread: true };
/** What an article's text takes, about. */
const BYTES = 2_100;

const key = (scope: FeedScope) => (scope.kind === 'all' ? 'all' : `${scope.kind} ${scope.id}`);

export class FakeKeeping {
  private readonly said = new Map<string, Keep>();
  private gone: { article: FakeArticle; at: number }[] = [];

  constructor(private readonly library: FakeLibrary) {}

  handlers(changed: () => void, undoable: (back: () => void) => number) {
    return {
      keeping: (scope: FeedScope) => this.of(scope),
      preview_keep: (wish: SetKeep) => this.preview(wish),
      set_keep: ({ scope, keep }: SetKeep) => {
        const before = this.said.get(key(scope)) ?? null;
        const going = this.going({ scope, keep });
        this.say(scope, keep);
        this.library.articles = this.library.articles.filter((article) => !going.includes(article));
        this.gone.push(...going.map((article) => ({ article, at: Date.now() })));
        changed();
        const undo = undoable(() => {
          this.say(scope, before);
          this.back(going);
        });
        return { count: going.length, undo };
      },
      cancel_keep: () => null,
      bring_back: () => {
        const back = this.gone.map(({ article }) => article);
        this.back(back);
        changed();
        return back.length;
      },
    };
  }

  private say(scope: FeedScope, keep: Keep | null): void {
    if (keep) this.said.set(key(scope), keep);
    else this.said.delete(key(scope));
  }

  private back(articles: readonly FakeArticle[]): void {
    this.gone = this.gone.filter(({ article }) => !articles.includes(article));
    this.library.articles.push(...articles);
    this.library.sort();
  }

  /** What holds there but for what is said there, and where it is said. */
  private inherited(scope: FeedScope): { keep: Keep; from: string | null } {
    if (scope.kind === 'all') return { keep: EVERYTHING, from: null };
    const folders = this.library.folders;
    let id =
      scope.kind === 'feed'
        ? this.library.feeds.find((feed) => feed.id === scope.id)?.folder_id
        : folders.find((folder) => folder.id === scope.id)?.parent_id;
    while (typeof id === 'number') {
      const folder = folders.find((other) => other.id === id);
      const keep = this.said.get(`folder ${id}`);
      if (folder && keep) return { keep, from: folder.name };
      id = folder?.parent_id ?? null;
    }
    return { keep: this.said.get('all') ?? EVERYTHING, from: null };
  }

  private of(scope: FeedScope): Keeping {
    const { keep, from } = this.inherited(scope);
    const first = this.gone[0]?.at;
    return {
      own: this.said.get(key(scope)) ?? null,
      inherited: keep,
      inherited_from: from,
      going: this.gone.length,
      going_until: first === undefined ? null : first + DAY,
      library_bytes: this.library.articles.length * 2 * BYTES,
    };
  }

  private going({ scope, keep }: SetKeep): FakeArticle[] {
    const wish = keep ?? this.inherited(scope).keep;
    const folders = scope.kind === 'folder' ? this.library.within(scope.id) : null;
    const feeds = this.library.feeds.filter((feed) =>
      scope.kind === 'all' ? true : scope.kind === 'feed' ? feed.id === scope.id : folders!.has(feed.folder_id ?? 0),
    );
    return feeds.flatMap((feed) => {
      const own = this.library.articles.filter((article) => article.feed_id === feed.id);
      const most = Math.min(wish.articles ?? Infinity, (wish.bytes ?? Infinity) / BYTES);
      const before = wish.days === null ? -Infinity : Date.now() - wish.days * DAY;
      return own.filter(
        (article, place) =>
          (place >= most || article.received < before) && !article.starred && (article.read || !wish.keep_unread),
      );
    });
  }

  private preview(wish: SetKeep): KeepPreview {
    const going = this.going(wish).toSorted((a, b) => a.sort_at - b.sort_at);
    const counts = new Map<string, number>();
    for (const article of going) counts.set(article.feed_title, (counts.get(article.feed_title) ?? 0) + 1);
    const edge = (article?: FakeArticle) => (article ? { at: article.sort_at, title: article.title } : null);
    return {
      articles: going.length,
      bytes: going.length * BYTES,
      feeds: [...counts].map(([title, articles]) => ({ title, articles })).toSorted((a, b) => b.articles - a.articles),
      oldest: edge(going[0]),
      newest: edge(going.at(-1)),
    };
  }
}

/** As the core would compare them: the first paragraph was another. */
export function compare(article: { title: string; html: string }) {
  const mark = (tag: 'ins' | 'del', text: string, first = '') => `<${tag} class="gl-${tag}"${first}>${text}</${tag}>`;
  const first = ' data-change=""';
  const html = article.html
    .replace('</p>', ` ${mark('del', 'It was never so.', first)} ${mark('ins', 'It is so by now.')}</p>`)
    .replace('<h2>', `<p class="gl-out"${first}>${mark('del', 'A paragraph that is gone.')}</p><h2>`)
    .replace('<blockquote>', `<p class="gl-in"${first}>${mark('ins', 'A paragraph that came.')}</p><blockquote>`);
  return { title: article.title, html, inserted: 9, deleted: 9 };
}
