import type { AheadSettings, Article, Events, Preferences } from '../generated';
import { openArticle } from './articles';
import { fail, thrown, type FakeLibrary } from './library';

const NONE = { text: false, pictures: false };

/** What the fake fetches ahead: nothing, but it says so convincingly. Pages of articles whose number ends in 3 have no article. */
export class FakeAhead {
  settings: AheadSettings = {
    all: NONE,
    starred: NONE,
    room: 2_000_000_000,
    largest: 10_000_000,
    paused: false,
  };
  private readonly texts = new Set<number>();
  private waiting = 14;
  private stopped = false;

  constructor(
    private readonly library: FakeLibrary,
    private readonly wait: (ms: number) => Promise<void>,
    private readonly holding: (feed: number) => Preferences,
    /** Whether a feed or folder says when full texts come. */
    private readonly said: (feed: number) => boolean,
    private readonly emit: (progress: Events['ahead_progress']) => void,
  ) {}

  handlers() {
    return {
      ahead: () => ({
        settings: this.settings,
        waiting: this.waiting,
        failed: 2,
        texts: 120 + this.texts.size,
        pictures: 340,
        bytes: 81_200_000,
        running: false,
      }),
      save_ahead: (settings: AheadSettings) => {
        if (settings.largest > settings.room) throw fail('invalid_input');
        this.settings = settings;
        return null;
      },
      run_ahead: () => {
        void this.run();
        return null;
      },
      cancel_ahead: () => {
        this.stopped = true;
        return null;
      },
      fetch_full_text: async ({ id }: { id: number }) => {
        this.stopped = false;
        await this.wait(600);
        if (this.stopped) throw fail('internal', null, 'it was stopped');
        if (id % 10 === 3) throw fail('no_full_text', 'no_article', 'no article was found in the page');
        this.texts.add(id);
        return this.article(id, true);
      },
      cancel_full_text: () => {
        this.stopped = true;
        return null;
      },
      show_text: ({ id, full }: { id: number; full: boolean }) => this.article(id, full),
    };
  }

  /** As it opens by itself. */
  opened(id: number): Article {
    const article = this.open(id);
    const { full_text_when: when, full_text_first } = this.holding(article.feed_id);
    const byItself = when === 'always' || (when === 'short' && article.offer_text);
    const opened = this.article(id, full_text_first || byItself || false);
    const fetch_text = byItself && !opened.has_full_text && opened.url !== null;
    return {
      ...opened,
      fetch_text,
      offer_text: opened.offer_text && !this.said(article.feed_id) && !byItself,
    };
  }

  private open(id: number): Article {
    return openArticle(this.library.articles.find((article) => article.id === id) ?? thrown(fail('not_found')));
  }

  private article(id: number, wanted: boolean): Article {
    const article = this.open(id);
    const there = this.texts.has(id);
    const full = wanted && there;
    const html = full
      ? `${article.html}<h2>On the page</h2><p>And this stands on the article’s own page.</p>`
      : article.html;
    return { ...article, html, full, has_full_text: there, offer_text: article.offer_text && !there };
  }

  private async run(): Promise<void> {
    this.stopped = false;
    const progress = { running: true, texts: 0, pictures: 0, failed: 0, left: 0, offline: false, elsewhere: false };
    for (; this.waiting > 0 && !this.stopped; this.waiting--) {
      progress.texts++;
      progress.pictures += 3;
      this.emit({ ...progress, left: this.waiting });
      await this.wait(250);
    }
    this.emit({ ...progress, running: false });
  }
}
