/**
 * The audio and video player. It is independent of the article's page, so playback continues while reading; the bar
 * at the bottom of the window shows it. No media is requested before the user presses Play.
 */
import { call, type Article, type Chapter, type Enclosure, type Playback } from '../ipc';
import { chapterAt, isVideo, mediaTitle, recordingsOf, type Recording } from '../article/recordings';
import { t } from '../messages';
import { setFeedPlayback } from './feed-playback';
import { library } from './library.svelte';
import { playedArticles } from './played.svelte';
import { settings } from './settings.svelte';
import { toasts } from './toasts.svelte';

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;
export const BACK = 15;
export const FORWARD = 30;
export const SLEEPS = [15, 30, 60] as const;

/** Seconds of playback between saves of the position, in case the window is closed or killed. */
const SAVE_INTERVAL = 15;

/**
 * Seconds by which a duration must exceed the position played so far. If WebKit does not know how long a file is, such as an MP3 of
 * constant bitrate without a header, it reports 0, and later the position that it has played to.
 */
const MARGIN = 1;

/** Part of the length after which the end of the file is the end of the item; before it the download broke off. */
const END = 0.9;

export type MediaItem = {
  /** Id of the article. */
  readonly id: number;
  readonly feed_id: number;
  readonly feed: string;
  readonly title: string;
  readonly url: string;
  readonly video: boolean;
  readonly has_chapters: boolean;
  /** Address of its image. */
  readonly artwork: string | null;
};

type Sleep =
  | { readonly kind: 'at'; readonly at: number; readonly minutes: number }
  | { readonly kind: 'chapter'; readonly at: number }
  | { readonly kind: 'item' };

const itemOf = (article: Article, enclosure: Enclosure): MediaItem => ({
  id: article.id,
  feed_id: article.feed_id,
  feed: article.feed_title,
  title: mediaTitle(article, enclosure),
  url: enclosure.url,
  video: isVideo(enclosure),
  has_chapters: article.has_chapters,
  artwork: article.thumbnail,
});

/** Returns the first duration that is known and not shorter than what was played; 0 if there is none. */
const lengthOf = (seconds: number, ...durations: readonly (number | null | undefined)[]): number =>
  durations.find((duration) => duration != null && duration > 0 && duration + MARGIN >= seconds) ?? 0;

const keyOf = (id: number, url: string): string => `${id} ${url}`;

class Player {
  now = $state.raw<MediaItem | null>(null);
  /** Address that the item is played from: its downloaded file or the web. */
  source = $state('');
  playing = $state(false);
  /** Height of the bar in CSS pixels. */
  height = $state(0);
  seconds = $state(0);
  readonly wholeSeconds = $derived(Math.floor(this.seconds));
  /** 0 while unknown. */
  length = $state(0);
  chapters = $state.raw<readonly Chapter[]>([]);
  sleep = $state.raw<Sleep | null>(null);
  /** The formats chosen in this window: the address of a file, by that of its recording's first one. */
  private chosen = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** Positions played in this window, newer than those of an open article. */
  private positions = $state.raw<ReadonlyMap<string, Playback>>(new Map());
  readonly chapter = $derived(chapterAt(this.chapters, this.seconds));
  /** The playback settings of the current item's feed. */
  private readonly feedPlayback = $derived(this.now ? library.feedById.get(this.now.feed_id)?.playback : undefined);
  /** Playback speed: the feed's own, else that of all feeds. */
  readonly speed = $derived((this.feedPlayback?.speed_percent ?? 100 * settings.value.playback_speed) / 100);

  /** Returns the address of a downloaded file. */
  localUrl: (id: number, url: string) => string | null = () => null;

  /** Called when an item was played to its end. */
  ended: () => void = () => {};

  /** Called when an item starts. */
  started: (id: number, url: string) => void = () => {};

  private media: HTMLMediaElement | null = null;
  /** The item that the element plays. */
  private attached: MediaItem | null = null;
  private savedSeconds = 0;
  /** Position that the element could not go to yet. Until it is there, the element's own position is not stored. */
  private wanted: number | null = null;
  /** The wanted place and the duration with which the element was last asked to go there. */
  private tried = '';
  /** Whether `length` is the element's, else the feed's or a stored one. */
  private measured = false;
  /** The furthest place that the element played. */
  private furthest = 0;
  /** Whether the item could not be played. */
  failed = $state(false);
  /** The item was in the player before the last start; nothing of it has been requested. */
  private resting = false;

  /** Returns the playback position of a media item. */
  place(article: Article, url: string): Playback | null {
    return this.positions.get(keyOf(article.id, url)) ?? article.playback.find((played) => played.url === url) ?? null;
  }

  /** Sets whether the items of an article count as played to their end, as the core does. */
  setPlayed(id: number, finished: boolean): void {
    const own = (key: string) => key.startsWith(`${String(id)} `);
    this.positions = new Map([...this.positions].map(([key, at]) => [key, own(key) ? { ...at, finished } : at]));
  }

  is(article: Article, url: string): boolean {
    return this.now?.id === article.id && this.now.url === url;
  }

  /** Plays a media item from its saved position, or toggles it if it is the current one. */
  play(article: Article, enclosure: Enclosure): void {
    if (this.is(article, enclosure.url)) return this.toggle();
    const before = this.place(article, enclosure.url);
    this.start(itemOf(article, enclosure), before, enclosure.duration);
  }

  /** Shows a media item at its saved position, without requesting anything of it. One that was played to its end is not shown. */
  rest(article: Article, enclosure: Enclosure): void {
    const before = this.place(article, enclosure.url);
    if (before?.finished) return;
    this.resting = true;
    this.aim(before?.seconds ?? 0);
    this.length = lengthOf(this.seconds, enclosure.duration, before?.duration);
    this.now = itemOf(article, enclosure);
    this.source = this.localUrl(article.id, enclosure.url) ?? enclosure.url;
  }

  /** Plays the item of an article that is in the player, or else its first one, from a position in seconds on. */
  playFrom(article: Article, seconds: number): void {
    if (this.now?.id !== article.id) {
      const found = this.first(article);
      if (!found) return;
      this.play(article, found);
      this.aim(seconds);
      return;
    }
    this.seek(seconds);
    this.resume();
  }

  /** Plays a media item from its stored position. */
  start(item: MediaItem, stored: Playback | null, length: number | null = null): void {
    this.leave();
    this.resting = false;
    const before = this.positions.get(keyOf(item.id, item.url)) ?? stored;
    // Finished items start again from the beginning.
    this.aim(before && !before.finished ? before.seconds : 0);
    this.length = lengthOf(this.seconds, length, before?.duration, stored?.duration);
    this.now = item;
    this.source = this.localUrl(item.id, item.url) ?? item.url;
    this.started(item.id, item.url);
    const intro = this.feedPlayback?.skip_intro ?? 0;
    if (this.seconds < intro && (this.length === 0 || intro < this.length)) this.aim(intro);
    if (item.has_chapters) void this.findChapters(item.id);
  }

  /** Sets the place to begin at. The element goes there when it has loaded. */
  private aim(seconds: number): void {
    this.seconds = this.savedSeconds = seconds;
    this.wanted = seconds > 0 ? seconds : null;
  }

  private async findChapters(id: number): Promise<void> {
    try {
      const found = await call('chapters', { id });
      if (this.now?.id === id) this.chapters = found;
    } catch (error) {
      // Playback works without chapters.
      console.warn('chapters', error);
    }
  }

  /** Sets the media element. Returns a function that detaches it. */
  attach(media: HTMLMediaElement): () => void {
    this.media = media;
    this.renew();
    this.applySpeed();
    if (!this.resting) this.begin();
    return () => {
      if (this.media === media) this.media = null;
      media.pause();
      // Stops the download.
      media.removeAttribute('src');
      media.load();
    };
  }

  /** Plays another item in the same element: WebKit lets an element that the user started once go on without a click. */
  onSource(): void {
    if (!this.media || this.attached === this.now) return;
    this.renew();
    this.applySpeed();
    this.begin();
  }

  /** The element plays another file. */
  private renew(): void {
    this.attached = this.now;
    this.failed = this.measured = false;
    this.furthest = 0;
  }

  private begin(): void {
    if (this.resting && this.now?.has_chapters) void this.findChapters(this.now.id);
    this.resting = false;
    // An element that takes its current position for the end starts again from the beginning.
    if (this.media?.ended && this.now && !this.positions.get(keyOf(this.now.id, this.now.url))?.finished)
      this.wanted ??= this.seconds;
    this.media?.play().catch((error: unknown) => {
      // Pausing before playback starts is not an error; unplayable media has its own event.
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.playing = false;
    });
  }

  /** Returns the first playable item of an article, in the format that the user chose. */
  first(article: Article | null): Enclosure | null {
    const [recording] = article ? recordingsOf(article) : [];
    return article && recording ? this.format(article, recording) : null;
  }

  /** Returns the format of a recording that is in the player or was chosen, else one that was started, else the feed's first one. */
  format(article: Article, recording: Recording): Enclosure {
    const chosen = this.chosen.get(recording[0].url);
    return (
      recording.find(({ url }) => this.is(article, url)) ??
      recording.find(({ url }) => url === chosen) ??
      recording.find(({ url }) => (this.place(article, url)?.seconds ?? 0) >= 1) ??
      recording[0]
    );
  }

  /** Chooses a format. What plays goes on in it. */
  choose(article: Article, recording: Recording, file: Enclosure): void {
    const [before, { seconds }] = [this.format(article, recording), this];
    this.chosen = new Map([...this.chosen, [recording[0].url, file.url]]);
    if (before.url === file.url || !this.is(article, before.url)) return;
    this.play(article, file);
    this.aim(seconds);
  }

  /** Play key: pauses the playing item; otherwise plays the open article's first item, or continues the current one. */
  press(article: Article | null): void {
    const found = this.first(article);
    if (article && found && !this.playing && article.id !== this.now?.id) this.play(article, found);
    else if (this.now) this.toggle();
  }

  toggle(): void {
    const { media } = this;
    if (!media) return;
    // A timer that ran out while it was paused must not stop it again.
    if (this.timeIsUp) this.sleep = null;
    if (media.error) {
      this.failed = false;
      media.load();
    }
    if (media.paused) this.begin();
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
    this.seconds = this.wanted = place;
    this.tried = '';
    if (media && media.readyState > 0) this.reach(media);
    // A live stream goes as far as it can.
    if (media?.duration === Infinity) {
      media.currentTime = place;
      this.wanted = null;
    }
    // What plays is saved as it goes on.
    if (!this.playing) void this.savePosition();
    // Seeking cancels the sleep timer at the end of the chapter.
    if (this.sleep?.kind === 'chapter') this.sleep = null;
  }

  skip(seconds: number): void {
    if (this.now) this.seek(this.seconds + seconds);
  }

  /** Goes to the next chapter, or to the start of the current or previous one. */
  toChapter(step: 1 | -1): void {
    const here = this.chapters[this.chapter];
    const back = here && this.seconds - here.start > 3 ? this.chapter : this.chapter - 1;
    const to = this.chapters[step > 0 ? this.chapter + 1 : back];
    if (to) this.seek(to.start);
    else if (step < 0) this.seek(0);
  }

  /** Changes the speed of the feed if it has one of its own, else of all feeds. */
  setSpeed(speed: number): void {
    const { now, feedPlayback } = this;
    if (now && feedPlayback && feedPlayback.speed_percent !== null)
      void setFeedPlayback(now.feed_id, { ...feedPlayback, speed_percent: Math.round(100 * speed) });
    else settings.change({ playback_speed: speed });
    this.applySpeed();
  }

  /** Sets the speed of the media element. */
  applySpeed(): void {
    if (this.media) this.media.defaultPlaybackRate = this.media.playbackRate = this.speed;
  }

  private get timeIsUp(): boolean {
    return this.sleep?.kind === 'at' && Date.now() >= this.sleep.at;
  }

  sleepIn(minutes: number): void {
    this.sleep = { kind: 'at', at: Date.now() + minutes * 60_000, minutes };
  }

  /** Stops at the end of the current chapter. */
  sleepAtChapter(): void {
    this.sleep = { kind: 'chapter', at: this.chapters[this.chapter + 1]?.start ?? Infinity };
  }

  /** Stops at the end of the item that plays then, wherever it is continued. */
  sleepAtEnd(): void {
    this.sleep = { kind: 'item' };
  }

  close(): void {
    this.leave();
    this.sleep = null;
    this.now = null;
    this.height = 0;
  }

  /** Closes the bar and clears all positions without saving: in a library that replaces this one, other articles may have these ids. */
  forget(): void {
    this.now = null;
    this.close();
    this.positions = new Map();
    playedArticles.forget();
  }

  private leave(): void {
    void this.savePosition();
    this.playing = false;
    this.chapters = [];
    // The others go on with the next item.
    if (this.sleep?.kind === 'chapter' || this.timeIsUp) this.sleep = null;
    this.length = 0;
  }

  // Handlers of media element events.

  /** The element may now know how long the file is. */
  onMetadata(media: HTMLMediaElement): void {
    if (media !== this.media || media.readyState === 0) return;
    this.furthest = Math.max(this.furthest, media.currentTime);
    const { duration } = media;
    if (Number.isFinite(duration) && duration >= this.furthest + MARGIN && duration >= (this.wanted ?? 0)) {
      this.length = duration;
      this.measured = true;
    } else if (!this.measured && media.currentTime > this.length + MARGIN) this.length = 0;
    this.reach(media);
  }

  /** Goes to the place that is wanted, if the element can. */
  private reach(media: HTMLMediaElement): void {
    const { wanted } = this;
    if (wanted === null) return;
    // If the element takes the played part for the whole file, going to the end of that part would end playback.
    const ranges = Array.from({ length: media.seekable.length }, (_, i) => i);
    const seekable = ranges.some((i) => media.seekable.start(i) <= wanted && wanted + MARGIN <= media.seekable.end(i));
    const far = Math.abs(media.currentTime - wanted) > 0.5;
    const attempt = `${String(wanted)} ${String(Math.round(media.duration))}`;
    // Not repeatedly if the server does not send parts of files.
    if (far && attempt !== this.tried && (seekable || (this.measured && wanted <= this.length))) {
      this.tried = attempt;
      media.currentTime = wanted;
    }
    if (Math.abs(media.currentTime - wanted) <= 0.5) this.wanted = null;
  }

  onLoaded(media: HTMLMediaElement): void {
    if (this.seconds > 0) this.wanted ??= this.seconds;
    this.tried = '';
    this.onMetadata(media);
    this.applySpeed();
  }

  onTimeUpdate(media: HTMLMediaElement): void {
    if (media !== this.media || media.readyState === 0) return;
    const before = this.seconds;
    this.onMetadata(media);
    this.seconds = media.currentTime;
    if (this.wanted !== null && this.seconds >= this.wanted) this.wanted = null;
    const outro = this.feedPlayback?.skip_outro ?? 0;
    const end = this.length - outro;
    // Not after seeking into the part that is skipped.
    if (outro > 0 && before < end && this.seconds >= end) {
      void this.savePosition(true);
      media.pause();
      return this.finish();
    }
    if (Math.abs(this.seconds - this.savedSeconds) >= SAVE_INTERVAL) void this.savePosition();
    const { sleep } = this;
    if (this.timeIsUp || (sleep?.kind === 'chapter' && this.seconds >= sleep.at)) {
      this.sleep = null;
      media.pause();
      toasts.show(t('player.sleep.done'));
    }
  }

  onStop(media: HTMLMediaElement): void {
    if (media !== this.media) return;
    this.playing = false;
    void this.savePosition();
  }

  onEnded(media: HTMLMediaElement): void {
    if (media !== this.media || !media.ended) return;
    this.playing = false;
    if (this.wanted === null) this.seconds = media.currentTime;
    const atEnd = this.wanted === null && this.seconds > 0 && this.seconds >= END * this.length;
    void this.savePosition(atEnd);
    if (atEnd) this.finish();
  }

  /** Called at the end of an item. */
  private finish(): void {
    if (this.sleep && (this.sleep.kind !== 'at' || this.timeIsUp)) {
      this.sleep = null;
      toasts.show(t('player.sleep.done'));
    } else this.ended();
  }

  onError(media: HTMLMediaElement): void {
    const { now } = this;
    // Removing the source fires an error event, too.
    if (media !== this.media || !now || !media.getAttribute('src') || this.failed) return;
    if (this.source !== now.url) {
      // The downloaded file is gone or damaged.
      this.source = now.url;
      this.attached = null;
      return;
    }
    this.failed = true;
    this.playing = false;
    toasts.show(t('player.failed', { title: now.title }), {
      detail: t('player.failed.do'),
      isError: true,
      action: { label: t('player.open'), run: () => void window.open(now.url, '_blank', 'noopener,noreferrer') },
    });
  }

  /** Saves the position in the current item. */
  async savePosition(finished = false): Promise<void> {
    const { now } = this;
    if (!now || (this.seconds === this.savedSeconds && !finished)) return;
    // The element is not there yet.
    if (this.wanted !== null && this.seconds !== this.wanted) return;
    this.savedSeconds = this.seconds;
    const playback: Playback = {
      url: now.url,
      seconds: this.seconds,
      duration: this.length > 0 ? this.length : null,
      finished,
    };
    this.positions = new Map([...this.positions, [keyOf(now.id, now.url), playback]]);
    try {
      await playedArticles.save(now.id, playback);
    } catch (error) {
      console.warn('save_playback', error);
    }
  }
}

export const player = new Player();
