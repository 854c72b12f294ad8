/**
 * What is being played. It lives outside of any article's page, so that it goes on while one reads on; the bar at the foot of the window
 * shows it. Nothing of a recording is asked for before play is pressed.
 */
import { call, type Article, type Chapter, type Enclosure, type Playback } from '../ipc';
import { isPlayable } from '../article/article-page';
import { t } from '../messages';
import { settings } from './settings.svelte';
import { toasts } from './toasts.svelte';

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;
export const BACK = 15;
export const FORWARD = 30;
export const SLEEPS = [15, 30, 60] as const;

/** Seconds of playing after which the place is kept, for a window that is closed or killed. */
const KEEP_EVERY = 15;

export type Recording = {
  /** Of its article. */
  readonly id: number;
  readonly feed_id: number;
  readonly feed: string;
  readonly title: string;
  readonly url: string;
  readonly video: boolean;
  readonly has_chapters: boolean;
};

type Sleep =
  | { readonly kind: 'at'; readonly at: number; readonly minutes: number }
  | { readonly kind: 'chapter'; readonly at: number };

const isVideo = (enclosure: Enclosure): boolean => /^video\//i.test(enclosure.mime_type ?? '');

/** The chapter that is heard at a place; -1 before the first. */
export function chapterAt(chapters: readonly Chapter[], seconds: number): number {
  return chapters.findLastIndex(({ start }) => start <= seconds + 0.25);
}

/** One alone is called as its article is; of several each has its own name, where it has one. */
export function recordingTitle(article: Article, enclosure: Enclosure): string {
  const alone = article.enclosures.filter(isPlayable).length < 2;
  const own = alone ? article.title || enclosure.title : enclosure.title || article.title;
  return own || t('list.untitled');
}

const keyOf = (id: number, url: string): string => `${id} ${url}`;

class Player {
  now = $state.raw<Recording | null>(null);
  playing = $state(false);
  /** CSS pixels that the bar takes at the window's foot. */
  height = $state(0);
  seconds = $state(0);
  /** 0 while nobody knows. */
  length = $state(0);
  chapters = $state.raw<readonly Chapter[]>([]);
  sleep = $state.raw<Sleep | null>(null);
  /** How far recordings were played in this window: newer than what an open article says. */
  private places = $state.raw<ReadonlyMap<string, Playback>>(new Map());
  readonly chapter = $derived(chapterAt(this.chapters, this.seconds));

  private media: HTMLMediaElement | null = null;
  private kept = 0;
  private failed = false;

  /** How far a recording was played before, or is now. */
  place(article: Article, url: string): Playback | null {
    return this.places.get(keyOf(article.id, url)) ?? article.playback.find((played) => played.url === url) ?? null;
  }

  is(article: Article, url: string): boolean {
    return this.now?.id === article.id && this.now.url === url;
  }

  /** Plays a recording from where it was left, in place of what is being played; the same one again is stopped or goes on. */
  play(article: Article, enclosure: Enclosure): void {
    if (this.is(article, enclosure.url)) return this.toggle();
    this.leave();
    const before = this.place(article, enclosure.url);
    // What was heard to its end begins anew.
    this.seconds = this.kept = before && !before.finished ? before.seconds : 0;
    this.length = enclosure.duration ?? before?.duration ?? 0;
    this.now = {
      id: article.id,
      feed_id: article.feed_id,
      feed: article.feed_title,
      title: recordingTitle(article, enclosure),
      url: enclosure.url,
      video: isVideo(enclosure),
      has_chapters: article.has_chapters,
    };
    if (article.has_chapters) void this.findChapters(article.id);
  }

  private async findChapters(id: number): Promise<void> {
    try {
      const found = await call('chapters', { id });
      if (this.now?.id === id) this.chapters = found;
    } catch (error) {
      // It plays as well without.
      console.warn('chapters', error);
    }
  }

  /** The bar has made the element for what is to be played now. */
  attach(media: HTMLMediaElement): () => void {
    this.media = media;
    this.failed = false;
    media.defaultPlaybackRate = media.playbackRate = settings.value.playback_speed;
    this.start();
    return () => {
      if (this.media === media) this.media = null;
      media.pause();
      // Whatever of it is still coming in is not wanted any more.
      media.removeAttribute('src');
      media.load();
    };
  }

  private start(): void {
    this.media?.play().catch((error: unknown) => {
      // Stopped before it began is no failure; what cannot be played is told by its own event.
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.playing = false;
    });
  }

  /** What an article has to play. */
  first(article: Article | null): Enclosure | null {
    return article?.enclosures.find(isPlayable) ?? null;
  }

  /** The key: what is being played stops or goes on; else what the open article has begins. */
  press(article: Article | null): void {
    const found = this.first(article);
    if (this.now) this.toggle();
    else if (article && found) this.play(article, found);
  }

  toggle(): void {
    const { media } = this;
    if (!media) return;
    if (media.error) {
      this.failed = false;
      media.load();
    }
    if (media.paused) this.start();
    else media.pause();
  }

  pause(): void {
    this.media?.pause();
  }

  resume(): void {
    if (this.media?.paused) this.toggle();
  }

  seek(seconds: number): void {
    const { media } = this;
    const place = Math.max(0, this.length > 0 ? Math.min(seconds, this.length) : seconds);
    this.seconds = place;
    if (media && media.readyState > 0) media.currentTime = place;
    // A place that was chosen is the end of what was waited for.
    if (this.sleep?.kind === 'chapter') this.sleep = null;
  }

  skip(seconds: number): void {
    if (this.now) this.seek(this.seconds + seconds);
  }

  /** To the beginning of the next chapter, or of this one, or of the one before it. */
  toChapter(step: 1 | -1): void {
    const here = this.chapters[this.chapter];
    const back = here && this.seconds - here.start > 3 ? this.chapter : this.chapter - 1;
    const to = this.chapters[step > 0 ? this.chapter + 1 : back];
    if (to) this.seek(to.start);
    else if (step < 0) this.seek(0);
  }

  setSpeed(speed: number): void {
    settings.change({ playback_speed: speed });
    if (this.media) this.media.defaultPlaybackRate = this.media.playbackRate = speed;
  }

  sleepIn(minutes: number): void {
    this.sleep = { kind: 'at', at: Date.now() + minutes * 60_000, minutes };
  }

  /** Stops where this chapter ends, or the recording. */
  sleepAtChapter(): void {
    this.sleep = { kind: 'chapter', at: this.chapters[this.chapter + 1]?.start ?? Infinity };
  }

  close(): void {
    this.leave();
    this.now = null;
    this.height = 0;
  }

  private leave(): void {
    this.keep(false);
    this.playing = false;
    this.chapters = [];
    this.sleep = null;
    this.length = 0;
  }

  // What the element tells.

  measured(media: HTMLMediaElement): void {
    if (media === this.media && Number.isFinite(media.duration)) this.length = media.duration;
  }

  known(media: HTMLMediaElement): void {
    this.measured(media);
    if (this.seconds > 0 && Math.abs(media.currentTime - this.seconds) > 0.5) media.currentTime = this.seconds;
    media.playbackRate = settings.value.playback_speed;
  }

  went(media: HTMLMediaElement): void {
    if (media !== this.media || media.readyState === 0) return;
    this.seconds = media.currentTime;
    if (Math.abs(this.seconds - this.kept) >= KEEP_EVERY) this.keep(false);
    const { sleep } = this;
    if (sleep && (sleep.kind === 'at' ? Date.now() >= sleep.at : this.seconds >= sleep.at)) {
      this.sleep = null;
      media.pause();
      toasts.show(t('player.sleep.done'));
    }
  }

  stopped(media: HTMLMediaElement): void {
    if (media !== this.media) return;
    this.playing = false;
    this.keep(media.ended);
  }

  broke(media: HTMLMediaElement): void {
    const { now } = this;
    // Taking the address away, when it is left, is no failure.
    if (media !== this.media || !now || !media.getAttribute('src') || this.failed) return;
    this.failed = true;
    this.playing = false;
    toasts.show(t('player.failed', { title: now.title }), {
      detail: t('player.failed.do'),
      trouble: true,
      action: { label: t('player.open'), run: () => void window.open(now.url, '_blank', 'noopener,noreferrer') },
    });
  }

  private keep(finished: boolean): void {
    const { now } = this;
    if (!now || (this.seconds === this.kept && !finished)) return;
    this.kept = this.seconds;
    const playback: Playback = {
      url: now.url,
      seconds: this.seconds,
      duration: this.length > 0 ? this.length : null,
      finished,
    };
    this.places = new Map([...this.places, [keyOf(now.id, now.url), playback]]);
    call('keep_playback', { id: now.id, playback }).catch((error: unknown) => console.warn('keep_playback', error));
  }
}

export const player = new Player();
