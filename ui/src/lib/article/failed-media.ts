/** Replaces audio and video that cannot be loaded by a text with a link. WebKit calls no listener in the frame. */

/** Milliseconds. */
const CHECK_INTERVAL = 2000;
/** States of the HTML standard. */
const HAVE_NOTHING = 0;
const NETWORK_NO_SOURCE = 3;

export type FailedMediaWords = {
  readonly direction: 'ltr' | 'rtl';
  /** Says that a file cannot be played. */
  readonly failed: (file: string) => string;
  readonly advice: string;
  readonly open: string;
};

/** Returns the name of the file at an address, shortened; that of a `data:` address is long. */
const fileName = (url: string): string => {
  const [path = ''] = url.split(/[?#]/);
  return path.split('/').findLast(Boolean)?.slice(0, 60) ?? '…';
};

const address = (media: HTMLMediaElement): string =>
  media.currentSrc || (media.getAttribute('src') ?? media.querySelector('source')?.getAttribute('src') ?? '');

/** Checks without a source after which there is none: while one is looked for, the state is the same for a moment. */
const CHECKS = 2;

function replace(media: HTMLMediaElement, words: FailedMediaWords): void {
  const text = media.ownerDocument.createElement('p');
  text.className = 'gl-failed';
  text.dir = words.direction;
  const url = address(media);
  text.append(words.failed(fileName(url)), media.ownerDocument.createElement('br'), words.advice);
  if (/^https?:\/\//i.test(url)) {
    const link = media.ownerDocument.createElement('a');
    link.href = url;
    link.rel = 'noreferrer noopener';
    link.textContent = words.open;
    text.append(' ', link);
  }
  media.replaceWith(text);
}

/** Watches the audio and video of a document. `changed` is called after some were replaced. Returns a function that stops it. */
export function replaceFailedMedia(doc: Document, words: FailedMediaWords, changed: () => void): () => void {
  let watched = [...doc.querySelectorAll<HTMLMediaElement>('video, audio')];
  const checks = new Map<HTMLMediaElement, number>();
  const hasFailed = (media: HTMLMediaElement): boolean => {
    const without = media.networkState === NETWORK_NO_SOURCE ? (checks.get(media) ?? 0) + 1 : 0;
    checks.set(media, without);
    return media.error !== null || without >= CHECKS;
  };
  const timer = setInterval(() => {
    if (doc.hidden) return;
    // What has begun to load has a source.
    watched = watched.filter((media) => media.isConnected && media.readyState === HAVE_NOTHING);
    const failed = watched.filter(hasFailed);
    failed.forEach((media) => replace(media, words));
    if (failed.length > 0) changed();
    if (watched.length === failed.length) clearInterval(timer);
  }, CHECK_INTERVAL);
  if (watched.length === 0) clearInterval(timer);
  return () => clearInterval(timer);
}
