// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Article, Enclosure, Feed, FeedPlayback, QueuedEpisode } from '../ipc';

const calls: [string, unknown][] = [];
vi.mock('../ipc', () => ({
  call: (name: string, args: unknown) => {
    calls.push([name, args]);
    return Promise.resolve(
      name === 'chapters'
        ? [
            { start: 0, title: 'A' },
            { start: 60, title: 'B' },
          ]
        : null,
    );
  },
  asIpcError: (error: unknown) => error,
}));

const { player } = await import('./player.svelte');
const { chapterAt, mediaTitle } = await import('../article/recordings');
const { library } = await import('./library.svelte');

const enclosure: Enclosure = {
  url: 'https://a.example/1.mp3',
  mime_type: 'audio/mpeg',
  length: null,
  duration: 600,
  title: null,
};
const article = (part: Partial<Article> = {}): Article =>
  ({ id: 1, feed_id: 2, feed_title: 'F', title: 'T', playback: [], enclosures: [enclosure], ...part }) as Article;

/** Minimal stand-in for the bar's media element. */
function element(): HTMLMediaElement {
  const media = document.createElement('audio');
  Object.defineProperties(media, {
    readyState: { value: 4 },
    duration: { value: 600, writable: true },
    currentTime: { value: 0, writable: true, configurable: true },
    seekable: { get: () => ({ length: 1, start: () => 0, end: () => media.duration }) },
    paused: { value: true, writable: true },
    ended: { value: false, writable: true },
  });
  media.play = () => Promise.resolve(void Object.assign(media, { paused: false }));
  media.pause = () => void Object.assign(media, { paused: true });
  media.load = () => {};
  return media;
}

/** Sets how the episodes of feed 2 are played. */
const playback = (playback?: FeedPlayback): void => {
  library.feeds = [{ id: 2, title: 'F', playback } as Feed];
};

beforeEach(() => {
  playback();
  player.close();
  calls.length = 0;
});

describe('player', () => {
  it('finds the chapter at a position', () => {
    const chapters = [0, 60, 90].map((start) => ({ start, title: null, url: null, image: null }));
    expect([0, 59, 60, 1000].map((at) => chapterAt(chapters, at))).toEqual([0, 0, 1, 2]);
    expect(chapterAt([{ start: 5, title: null, url: null, image: null }], 1)).toBe(-1);
  });

  it('requests nothing before playback, and chapters only then', () => {
    expect(player.first(article())).toBe(enclosure);
    expect(calls).toEqual([]);
    player.play(article({ has_chapters: true }), enclosure);
    expect(calls).toEqual([['chapters', { id: 1 }]]);
  });

  it('resumes at the saved position, and saves it when closed', () => {
    player.play(
      article({ playback: [{ url: enclosure.url, seconds: 90, duration: 600, finished: false }] }),
      enclosure,
    );
    const media = element();
    const leave = player.attach(media);
    player.onLoaded(media);
    expect(media.currentTime).toBe(90);
    media.currentTime = 97;
    player.onTimeUpdate(media);
    expect(calls).toEqual([]);
    player.skip(30);
    expect(media.currentTime).toBe(127);
    player.close();
    leave();
    const playback = { url: enclosure.url, seconds: 127, duration: 600, finished: false };
    expect(calls).toEqual([['save_playback', { id: 1, playback }]]);
    // The article, loaded earlier, has an outdated position; the player has the current one.
    expect(player.place(article(), enclosure.url)).toEqual(playback);
  });

  it('plays the chosen format of a recording, from the same place on', () => {
    const other = { ...enclosure, url: 'https://a.example/1.opus', mime_type: 'audio/ogg' };
    const both = article({ id: 70, enclosures: [enclosure, other] });
    expect(player.first(both)?.url).toBe(enclosure.url);
    player.play(both, enclosure);
    player.seek(120);
    player.choose(both, [enclosure, other], other);
    expect([player.now?.url, player.now?.title, player.seconds]).toEqual([other.url, 'T', 120]);
    player.close();
    expect(player.first(both)?.url).toBe(other.url);
    // What was started in another window goes on.
    const playback = [{ url: other.url, seconds: 9, duration: 600, finished: false }];
    expect(
      player.first({ ...both, id: 71, enclosures: [{ ...enclosure, url: 'https://a.example/2.mp3' }, other], playback })
        ?.url,
    ).toBe(other.url);
  });

  it('numbers parts without titles', () => {
    const parts = ['part1.mp3', 'part2.mp3'].map((name) => ({ ...enclosure, url: `https://a.example/${name}` }));
    const both = article({ id: 72, enclosures: parts });
    expect(parts.map((part) => mediaTitle(both, part))).toEqual(['T (1)', 'T (2)']);
    expect(mediaTitle(article({ enclosures: [{ ...enclosure, title: 'Own' }] }), enclosure)).toBe('T');
  });

  it('restarts finished items, and seeks within the duration', () => {
    player.play(
      article({ id: 9, playback: [{ url: enclosure.url, seconds: 600, duration: 600, finished: true }] }),
      enclosure,
    );
    const media = element();
    player.attach(media);
    player.onLoaded(media);
    expect(player.seconds).toBe(0);
    player.skip(-15);
    expect(player.seconds).toBe(0);
    player.seek(10_000);
    expect(player.seconds).toBe(600);
  });

  it('plays from a time in the notes on, in the player or not', () => {
    player.playFrom(article({ enclosures: [] }), 30);
    expect(player.now).toBeNull();
    player.playFrom(article({ id: 5 }), 30);
    const media = element();
    player.attach(media);
    player.onLoaded(media);
    expect(media.currentTime).toBe(30);
    media.pause();
    player.playFrom(article({ id: 5 }), 90);
    expect([media.currentTime, media.paused]).toEqual([90, false]);
  });

  it('goes from chapter to chapter, and stops at the end of one', async () => {
    player.play(article({ id: 3, has_chapters: true }), enclosure);
    const media = element();
    player.attach(media);
    await Promise.resolve();
    await Promise.resolve();
    player.toChapter(1);
    expect(player.seconds).toBe(60);
    player.toChapter(-1);
    expect(player.seconds).toBe(0);
    player.sleepAtChapter();
    media.currentTime = 61;
    player.onTimeUpdate(media);
    expect(media.paused).toBe(true);
    expect(player.sleep).toBeNull();
  });

  it('continues in the same element when an item ends, unless the sleep timer stops there', () => {
    const next = {
      id: 8,
      feed_id: 2,
      feed: 'F',
      title: 'N',
      url: 'https://a.example/2.mp3',
      video: false,
      has_chapters: false,
      artwork: null,
    };
    const ended = vi.spyOn(player, 'ended').mockImplementation(() => player.start(next, null));
    player.play(article({ id: 7 }), enclosure);
    const media = element();
    player.attach(media);
    // Playing stops with `pause`, then `ended`, which must not count twice.
    Object.assign(media, { ended: true, paused: true, currentTime: 600 });
    player.onStop(media);
    expect(ended).not.toHaveBeenCalled();
    player.onEnded(media);
    expect(player.now).toEqual(next);
    Object.assign(media, { ended: false, currentTime: 0 });
    player.onSource();
    expect(media.paused).toBe(false);

    player.sleepAtChapter();
    Object.assign(media, { ended: true, paused: true, currentTime: 600 });
    player.onEnded(media);
    expect(ended).toHaveBeenCalledTimes(1);
    expect(player.sleep).toBeNull();

    player.sleepAtEnd();
    Object.assign(media, { ended: false });
    player.seek(5);
    player.onTimeUpdate(media);
    expect(player.sleep).toEqual({ kind: 'item' });
    Object.assign(media, { ended: true, paused: true, currentTime: 600 });
    player.onEnded(media);
    expect(ended).toHaveBeenCalledTimes(1);
    expect(player.sleep).toBeNull();
    ended.mockRestore();
  });

  it('stops at the end of the episode that plays then, and lets a timer that ran out while paused pass', () => {
    player.play(article({ id: 7 }), enclosure);
    player.sleepAtEnd();
    player.play(article({ id: 8 }), enclosure);
    expect(player.sleep).toEqual({ kind: 'item' });
    const media = element();
    player.attach(media);
    const ended = vi.spyOn(player, 'ended');
    Object.assign(media, { ended: true, paused: true, currentTime: 600 });
    player.onEnded(media);
    expect(ended).not.toHaveBeenCalled();
    expect(player.sleep).toBeNull();

    Object.assign(media, { ended: false });
    player.sleepIn(0);
    // The time passes while playback is paused.
    player.toggle();
    player.onTimeUpdate(media);
    expect([media.paused, player.sleep]).toEqual([false, null]);

    player.sleepIn(0);
    Object.assign(media, { ended: true, paused: true, currentTime: 600 });
    player.onEnded(media);
    expect(ended).not.toHaveBeenCalled();
    expect(player.sleep).toBeNull();
    ended.mockRestore();
  });

  it('plays the episodes of a feed at its own speed', () => {
    playback({ speed_percent: 150, skip_intro: 0, skip_outro: 0 });
    player.play(article({ id: 20 }), enclosure);
    const media = element();
    player.attach(media);
    expect([player.speed, media.playbackRate]).toEqual([1.5, 1.5]);
    player.setSpeed(2);
    expect(calls).toContainEqual([
      'set_feed_playback',
      { feed_id: 2, playback: { speed_percent: 200, skip_intro: 0, skip_outro: 0 } },
    ]);
    playback();
    expect(player.speed).toBe(1);
  });

  it('skips the beginning and the end of an episode, unless the user goes there', () => {
    playback({ speed_percent: null, skip_intro: 40, skip_outro: 20 });
    const ended = vi.spyOn(player, 'ended').mockImplementation(() => {});
    player.play(article({ id: 21 }), enclosure);
    const media = element();
    player.attach(media);
    player.onLoaded(media);
    expect(media.currentTime).toBe(40);
    player.seek(10);
    expect(media.currentTime).toBe(10);
    media.currentTime = 579.9;
    player.onTimeUpdate(media);
    expect(ended).not.toHaveBeenCalled();
    media.currentTime = 580;
    player.onTimeUpdate(media);
    expect([ended.mock.calls.length, media.paused]).toEqual([1, true]);
    expect(player.place(article({ id: 21 }), enclosure.url)?.finished).toBe(true);
    // The user may listen to the end after all.
    player.seek(590);
    media.currentTime = 591;
    player.onTimeUpdate(media);
    expect(ended).toHaveBeenCalledTimes(1);
    ended.mockRestore();
  });

  /** As WebKit plays an MP3 of constant bitrate without a header: its duration is what it has played. */
  const playTo = (media: HTMLMediaElement, seconds: number) => {
    media.currentTime = seconds;
    Object.assign(media, { duration: Math.max(0, seconds - 0.25), ended: true });
    player.onMetadata(media);
    player.onTimeUpdate(media);
  };
  const stored = (id: number, seconds: number, duration: number | null = 600) =>
    article({ id, playback: [{ url: enclosure.url, seconds, duration, finished: false }] });

  it('ignores a duration that is only what was played so far, and an end at that point', () => {
    const ended = vi.spyOn(player, 'ended').mockImplementation(() => {});
    for (const duration of [600, null]) {
      const id = duration === null ? 61 : 60;
      const file = { ...enclosure, duration };
      player.play(article({ id, enclosures: [file] }), file);
      const media = element();
      player.attach(media);
      Object.assign(media, { duration: 0, ended: true });
      player.onLoaded(media);
      for (let at = 0; at <= 14; at += 0.25) playTo(media, at);
      expect([player.length, player.seconds]).toEqual([duration ?? 0, 14]);
      // A pause is no end.
      media.pause();
      player.onStop(media);
      expect(player.place(article({ id }), file.url)).toEqual({
        url: file.url,
        seconds: 14,
        duration,
        finished: false,
      });
      if (duration !== null) {
        player.onEnded(media);
        expect(player.place(article({ id }), file.url)?.finished).toBe(false);
        // The element starts over; the old position is not lost.
        player.toggle();
        playTo(media, 0);
        player.onStop(media);
        expect(player.place(article({ id }), file.url)?.seconds).toBe(14);
      }
      // Once the element knows the duration, that is used.
      Object.assign(media, { duration: 590, ended: false, currentTime: 20 });
      player.onMetadata(media);
      expect(player.length).toBe(590);
    }
    for (const duration of [NaN, Infinity, 0]) {
      player.play(article({ id: 62 }), enclosure);
      const media = element();
      player.attach(media);
      Object.assign(media, { duration });
      player.onLoaded(media);
      expect(player.length).toBe(600);
      player.close();
    }
    expect(ended).not.toHaveBeenCalled();
    ended.mockRestore();
  });

  it('keeps the stored place until the element can go there', () => {
    player.play(stored(63, 140), enclosure);
    const media = element();
    player.attach(media);
    Object.assign(media, { duration: 0 });
    player.onLoaded(media);
    for (let at = 0; at <= 40; at += 0.25) playTo(media, at);
    expect(media.currentTime).toBe(40);
    player.onStop(media);
    player.onEnded(media);
    expect(calls).toEqual([]);
    expect(player.place(stored(63, 140), enclosure.url)?.seconds).toBe(140);
    Object.assign(media, { duration: 600, ended: false });
    player.onMetadata(media);
    expect(media.currentTime).toBe(140);
    media.currentTime = 160;
    player.onTimeUpdate(media);
    expect(player.place(article({ id: 63 }), enclosure.url)?.seconds).toBe(160);
    player.close();

    // If it never can, positions after that place are stored again.
    player.play(stored(64, 20), enclosure);
    player.attach(media);
    Object.assign(media, { duration: 0 });
    player.onLoaded(media);
    for (let at = 0; at <= 36; at += 0.25) playTo(media, at);
    expect(player.place(article({ id: 64 }), enclosure.url)?.seconds).toBe(35);
  });

  it('tries once if the server does not send parts of files', () => {
    player.play(stored(68, 140), enclosure);
    const media = element();
    const tries: number[] = [];
    let at = 0;
    Object.defineProperty(media, 'currentTime', { get: () => at, set: (place: number) => tries.push(place) });
    player.attach(media);
    player.onLoaded(media);
    for (at = 0; at < 60; at++) player.onTimeUpdate(media);
    expect(tries).toEqual([140]);
    player.seek(150);
    player.onTimeUpdate(media);
    expect(tries).toEqual([140, 150]);
  });

  it('seeks as soon as the element can, and never to a position that would end playback', () => {
    player.play(article({ id: 65 }), enclosure);
    const media = element();
    player.attach(media);
    Object.assign(media, { duration: 0 });
    player.onLoaded(media);
    for (let at = 0; at <= 20; at += 0.25) playTo(media, at);
    player.seek(300);
    expect(media.currentTime).toBe(20);
    player.seek(5);
    expect(media.currentTime).toBe(5);
    player.seek(300);
    Object.assign(media, { duration: 600, ended: false });
    player.onMetadata(media);
    expect(media.currentTime).toBe(300);
  });

  it('does not take an interrupted download for the end, nor a stored duration of 0 for a duration', () => {
    const ended = vi.spyOn(player, 'ended').mockImplementation(() => {});
    const file = { ...enclosure, duration: null };
    player.play(stored(66, 37, 20), file);
    expect(player.length).toBe(0);
    player.close();
    player.play(article({ id: 67 }), enclosure);
    const media = element();
    player.attach(media);
    player.onLoaded(media);
    for (const [at, count] of [
      [200, 0],
      [599.8, 1],
    ] as const) {
      Object.assign(media, { currentTime: at, ended: true, paused: true });
      player.onTimeUpdate(media);
      player.onStop(media);
      player.onEnded(media);
      expect(ended).toHaveBeenCalledTimes(count);
      expect(player.place(article({ id: 67 }), enclosure.url)?.finished).toBe(count === 1);
    }
    ended.mockRestore();
  });

  it('does not skip more than the length of a short episode', () => {
    playback({ speed_percent: null, skip_intro: 700, skip_outro: 0 });
    player.play(article({ id: 22 }), enclosure);
    expect(player.seconds).toBe(0);
  });
});

describe('the play key', () => {
  it('plays the open article unless something plays already', () => {
    player.play(article({ id: 31 }), enclosure);
    player.attach(element());
    player.playing = true;
    player.press(article({ id: 32 }));
    expect(player.now?.id).toBe(31);
    player.playing = false;
    player.press(article({ id: 32 }));
    expect(player.now?.id).toBe(32);
    player.playing = false;
    player.press(article({ id: 32 }));
    expect(player.now?.id).toBe(32);
    // An article without audio: the current item goes on.
    player.press(article({ id: 33, enclosures: [] }));
    expect(player.now?.id).toBe(32);
  });
});

describe('the play queue', () => {
  it('loses an episode that is played from its article', async () => {
    const { playQueue } = await import('./play-queue.svelte');
    playQueue.all = [{ id: 41, url: enclosure.url } as QueuedEpisode, { id: 42, url: enclosure.url } as QueuedEpisode];
    player.play(article({ id: 41 }), enclosure);
    expect(calls).toContainEqual(['remove_from_play_queue', { id: 41, url: enclosure.url }]);
    player.play(article({ id: 43 }), enclosure);
    expect(calls.filter(([name]) => name === 'remove_from_play_queue')).toHaveLength(1);
  });
});
