/**
 * Connects the system's media controls (media keys, MPRIS, headsets) through the browser's media session, if there is
 * one.
 */
import { showsImages } from './images';
import { BACK, FORWARD, player, type MediaItem } from './player.svelte';

type Handlers = Partial<Record<MediaSessionAction, (details: MediaSessionActionDetails) => void>>;

const HANDLERS: Handlers = {
  play: () => player.resume(),
  pause: () => player.pause(),
  stop: () => player.close(),
  seekbackward: ({ seekOffset }) => player.skip(-(seekOffset || BACK)),
  seekforward: ({ seekOffset }) => player.skip(seekOffset || FORWARD),
  seekto: ({ seekTime }) => void (seekTime !== undefined && player.seek(seekTime)),
  previoustrack: () => player.toChapter(-1),
  nexttrack: () => player.toChapter(1),
};

const connected = (): MediaSession | null =>
  'mediaSession' in navigator && typeof MediaMetadata !== 'undefined' ? navigator.mediaSession : null;

/** Publishes what is played. `cover`: the address of its image. */
export function showMedia(now: MediaItem, cover: string | null): void {
  const session = connected();
  if (!session) return;
  // The system requests the image, so it is passed only if images are shown.
  const artwork = cover && showsImages(now.feed_id) ? [{ src: cover }] : [];
  session.metadata = new MediaMetadata({ title: now.title, artist: now.feed, artwork });
}

/** Handles media keys. Returns a function that stops it, and publishing what is played. */
export function connectMediaSession(): () => void {
  const session = connected();
  if (!session) return () => {};
  const set = (action: string, handler: MediaSessionActionHandler | null): void => {
    try {
      session.setActionHandler(action as MediaSessionAction, handler);
    } catch {
      // Not every system supports every action.
    }
  };
  for (const [action, handler] of Object.entries(HANDLERS)) set(action, handler);
  return () => {
    session.metadata = null;
    session.playbackState = 'none';
    for (const action of Object.keys(HANDLERS)) set(action, null);
  };
}

export function updatePlaybackState(): void {
  if (!('mediaSession' in navigator) || !player.now) return;
  navigator.mediaSession.playbackState = player.playing ? 'playing' : 'paused';
}
