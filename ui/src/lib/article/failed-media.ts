/** Replaces audio and video that cannot be loaded by a text with a link. WebKit calls no listener in the frame. */

const CHECK_INTERVAL = 500;
/** States of the HTML standard. */
const HAVE_NOTHING = 0;
const NETWORK_NO_SOURCE = 3;

export type FailedMediaWords = { readonly direction: 'ltr' | 'rtl'; readonly failed: string; readonly open: string };

const address = (media: HTMLMediaElement): string =>
  media.currentSrc || (media.getAttribute('src') ?? media.querySelector('source')?.getAttribute('src') ?? '');

const hasFailed = (media: HTMLMediaElement): boolean =>
  media.readyState === HAVE_NOTHING && (media.error !== null || media.networkState === NETWORK_NO_SOURCE);

function replace(media: HTMLMediaElement, words: FailedMediaWords): void {
  const text = media.ownerDocument.createElement('p');
  text.className = 'gl-failed';
  text.dir = words.direction;
  text.append(words.failed);
  const url = address(media);
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
  /** Elements that had failed at the last check: one that looks for its source is not there yet. */
  let doubtful = new Set<HTMLMediaElement>();
  const timer = setInterval(() => {
    const failed = watched.filter((media) => media.isConnected && hasFailed(media));
    const certain = failed.filter((media) => doubtful.has(media));
    doubtful = new Set(failed);
    certain.forEach((media) => replace(media, words));
    watched = watched.filter((media) => media.isConnected);
    if (certain.length > 0) changed();
    if (watched.length === 0) clearInterval(timer);
  }, CHECK_INTERVAL);
  if (watched.length === 0) clearInterval(timer);
  return () => clearInterval(timer);
}
