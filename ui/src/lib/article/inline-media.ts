/**
 * Audio and video within an article: links that play them in the window's player. WebKit draws no usable controls in a frame
 * without scripts.
 */
import type { Enclosure } from '../ipc';
import { pageActionLink } from './page-actions';
import { posterBox } from './videos';

const TYPES = { AUDIO: 'audio/mpeg', VIDEO: 'video/mp4' } as const;

/** Returns the name of the file at an address, shortened. */
function fileName(address: string): string {
  const name = address.split(/[?#]/)[0]?.split('/').findLast(Boolean) ?? '';
  try {
    return decodeURIComponent(name).slice(0, 60);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return name.slice(0, 60);
  }
}

/** Returns the first source that can be played from the web. */
function sourceOf(media: Element): { url: string; type: string } | null {
  const found = [media, ...media.querySelectorAll('source')].find((one) =>
    /^https?:\/\//i.test(one.getAttribute('src') ?? ''),
  );
  if (!found) return null;
  const given = found.getAttribute('type')?.split(';')[0]?.trim() ?? '';
  const usual = media.tagName === 'VIDEO' ? TYPES.VIDEO : TYPES.AUDIO;
  return { url: found.getAttribute('src') ?? '', type: given || usual };
}

/** Replaces audio and video by links. `play` returns the text of a link. Their posters are deferred already. */
export function linkMedia(root: ParentNode, token: string, play: (file: string) => string): void {
  [...root.querySelectorAll('audio, video')].forEach((media, at) => {
    const source = sourceOf(media);
    if (!source) return;
    const page = media.ownerDocument;
    const link = page.createElement('a');
    link.setAttribute('href', pageActionLink(token, 'play', at));
    link.setAttribute('data-gl-media', source.url);
    link.setAttribute('data-gl-type', source.type);
    const title = media.getAttribute('title')?.trim();
    link.textContent = play(title || fileName(source.url));
    const card = page.createElement('p');
    card.className = 'embed';
    const poster = media.getAttribute('data-gl-poster');
    if (poster) {
      card.classList.add('gl-video');
      link.prepend(posterBox(page, poster));
    }
    card.append(link);
    media.replaceWith(card);
  });
}

/** Returns the audio or video that a link plays. */
export function mediaAt(doc: Document, address: string): Enclosure | null {
  const link = [...doc.querySelectorAll('a[data-gl-media]')].find((one) => one.getAttribute('href') === address);
  const url = link?.getAttribute('data-gl-media');
  if (!link || !url) return null;
  return { url, mime_type: link.getAttribute('data-gl-type'), length: null, duration: null, title: null };
}
