/** Videos of other sites: a card with the video's image that opens its page. Nothing is played in the article. */

/** `poster`: `null` if it does not follow from the address. */
type Video = { readonly service: string; readonly id: string; readonly poster: string | null };

/** Returns the image of a video whose address determines it; `null` for other services. */
const SERVICES: readonly (readonly [service: string, address: RegExp, poster: ((id: string) => string) | null])[] = [
  [
    'YouTube',
    /^https?:\/\/(?:(?:www\.|m\.|music\.)?youtube\.com\/(?:watch\?(?:[^#]*&)?v=|shorts\/|live\/)|youtu\.be\/)([\w-]{11})(?![\w-])/i,
    (id) => `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
  ],
  [
    'Dailymotion',
    /^https?:\/\/(?:www\.)?dailymotion\.com\/video\/(\w{5,12})(?!\w)/i,
    (id) => `https://www.dailymotion.com/thumbnail/video/${id}`,
  ],
  ['Vimeo', /^https?:\/\/(?:www\.)?vimeo\.com\/(?:[\w/]+\/)?(\d{5,12})(?!\w)/i, null],
  ['Twitch', /^https?:\/\/(?:www\.)?twitch\.tv\/(videos\/\d{6,12}|\w+\/clip\/[\w-]+)/i, null],
  ['Twitch', /^https?:\/\/clips\.twitch\.tv\/([\w-]{6,})/i, null],
  // On any host: an id as PeerTube makes it.
  [
    'PeerTube',
    /^https?:\/\/[^/]+\/(?:w|videos\/(?:watch|embed))\/([a-zA-Z\d]{22}|[a-f\d]{8}(?:-[a-f\d]{4}){3}-[a-f\d]{12})(?!\w)/,
    null,
  ],
];

export function videoAt(address: string | null): Video | null {
  for (const [service, pattern, poster] of SERVICES) {
    const id = pattern.exec(address ?? '')?.[1];
    if (id) return { service, id, poster: poster?.(id) ?? null };
  }
  return null;
}

const isSame = (a: Video | null, b: Video): boolean => a?.service === b.service && a.id === b.id;

/** Returns the box of a video's image; `lazy-images.ts` loads the image when it comes near. `null`: an empty one. */
export function posterBox(page: Document, poster: string | null): HTMLElement {
  const box = page.createElement('span');
  box.className = poster ? 'gl-poster' : 'gl-poster gl-plain';
  if (!poster) return box;
  const image = page.createElement('img');
  image.alt = '';
  image.setAttribute('decoding', 'async');
  image.setAttribute('referrerpolicy', 'no-referrer');
  image.setAttribute('data-gl-src', poster);
  box.append(image);
  return box;
}

/**
 * Makes cards of the links that replaced players of videos, and adds one of the video that the article is about if there is none.
 * That video has the article's own image, `thumbnail`, if none follows from its address.
 * `images`: whether remote images are loaded; `lazy-images.ts` loads them when they come near. Without one, a card is empty.
 */
export function videoCards(
  root: HTMLElement,
  { address, thumbnail }: { readonly address: string | null; readonly thumbnail: string | null },
  images: boolean,
  watch: (service: string) => string,
): void {
  const page = root.ownerDocument;
  const own = videoAt(address);
  if (address && own && ![...root.querySelectorAll('a')].some((link) => isSame(videoAt(link.href), own))) {
    const card = page.createElement('p');
    card.className = 'embed';
    const link = page.createElement('a');
    link.setAttribute('href', address);
    link.setAttribute('rel', 'noreferrer noopener');
    link.textContent = watch(own.service);
    card.append(link);
    root.prepend(card);
  }
  for (const link of root.querySelectorAll('p.embed > a')) {
    const video = videoAt(link.getAttribute('href'));
    if (!video) continue;
    const poster = video.poster ?? (own && isSame(own, video) ? thumbnail : null);
    link.prepend(posterBox(page, images ? poster : null));
    link.parentElement?.classList.add('gl-video');
  }
}
