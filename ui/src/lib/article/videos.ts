/** Videos of other sites: a card with the video's image that opens its page. Nothing is played in the article. */

type Video = { readonly service: string; readonly poster: string };

/** Where the image of a video follows from its address. */
const SERVICES: readonly (readonly [service: string, address: RegExp, poster: (id: string) => string])[] = [
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
];

export function videoAt(address: string | null): Video | null {
  for (const [service, pattern, poster] of SERVICES) {
    const id = pattern.exec(address ?? '')?.[1];
    if (id) return { service, poster: poster(id) };
  }
  return null;
}

/**
 * Adds images to the links that replaced players, and a link to the video that the article is about if there is none.
 * `images`: whether remote images are loaded; `lazy-images.ts` loads them when they come near.
 */
export function videoCards(
  root: HTMLElement,
  address: string | null,
  images: boolean,
  watch: (service: string) => string,
): void {
  const page = root.ownerDocument;
  const own = videoAt(address);
  if (address && own && ![...root.querySelectorAll('a')].some((link) => videoAt(link.href)?.poster === own.poster)) {
    const card = page.createElement('p');
    card.className = 'embed';
    const link = page.createElement('a');
    link.setAttribute('href', address);
    link.setAttribute('rel', 'noreferrer noopener');
    link.textContent = watch(own.service);
    card.append(link);
    root.prepend(card);
  }
  if (!images) return;
  for (const link of root.querySelectorAll('p.embed > a')) {
    const video = videoAt(link.getAttribute('href'));
    if (!video) continue;
    const box = page.createElement('span');
    box.className = 'gl-poster';
    const image = page.createElement('img');
    image.alt = '';
    image.setAttribute('decoding', 'async');
    image.setAttribute('referrerpolicy', 'no-referrer');
    image.setAttribute('data-gl-src', video.poster);
    box.append(image);
    link.prepend(box);
    link.parentElement?.classList.add('gl-video');
  }
}
