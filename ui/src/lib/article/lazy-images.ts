/**
 * Loads images when they come near the visible part. Browsers ignore `loading=lazy` without scripts, and WebKit calls
 * no listener in such a frame, so the window polls the frame's scroll position while images are pending.
 */
import { shownHost } from './hosts';
import { placeImage } from './image-places';

const SCREENS_IN_ADVANCE = 1.5;
const CHECK_INTERVAL = 150;
/** Images without a size are all near at first; loading a batch makes room and moves the others away. */
const BATCH = 24;
/** On a page with tens of thousands of images a check takes a while: it may use at most a tenth of the time. */
const REST = 10;

type DeferredElement = HTMLImageElement | HTMLVideoElement;

/** Starts loading the images of a frame's document. Returns a function that stops it and cancels pending requests. */
export function lazyImages(doc: Document): () => void {
  const elements = [...doc.querySelectorAll('video, audio')] as HTMLMediaElement[];
  const started: DeferredElement[] = [];
  let waiting = [
    ...doc.querySelectorAll<DeferredElement>('img[data-gl-src], img[data-gl-srcset], video[data-gl-poster]'),
  ];
  let loading: HTMLImageElement[] = [];
  let seen = -1;
  let height = -1;

  /** Checks for images that have come near. Returns whether any are pending. */
  const check = (): boolean => {
    const view = doc.defaultView;
    const page = doc.scrollingElement ?? doc.documentElement;
    if (!view || waiting.length === 0) return false;
    // Positions move when images above load, hence the check of the page's height.
    if (page.scrollTop === seen && page.scrollHeight === height) return true;
    seen = page.scrollTop;
    height = page.scrollHeight;
    const distance = view.innerHeight * SCREENS_IN_ADVANCE;
    const near: DeferredElement[] = [];
    for (const image of waiting) {
      const box = image.getBoundingClientRect();
      if (box.bottom > -distance && box.top < view.innerHeight + distance) near.push(image);
      if (near.length === BATCH) break;
    }
    if (near.length === 0) return true;
    // There may be more near images.
    if (near.length === BATCH) seen = -1;
    const taken = new Set(near);
    waiting = waiting.filter((image) => !taken.has(image));
    near.forEach(load);
    for (const image of near) if (isImage(image)) image.classList.add('gl-pending');
    started.push(...near);
    loading.push(...near.filter(isImage));
    return true;
  };

  /** Replaces images that failed by their text. Returns whether any are still loading. */
  const settle = (): boolean => {
    for (const image of loading) {
      image.classList.toggle('gl-pending', !image.complete);
      if (isBroken(image)) showText(image);
      else if (image.complete) placeImage(image, image.naturalWidth, image.naturalHeight);
    }
    loading = loading.filter((image) => !image.complete && image.isConnected);
    return loading.length > 0;
  };

  let timer: ReturnType<typeof setTimeout> | undefined;
  const turn = () => {
    const began = performance.now();
    // Images whose loading starts in this turn are settled in a later one.
    const pending = [settle(), check()];
    if (pending.includes(true) || loading.length > 0)
      timer = setTimeout(turn, Math.max(CHECK_INTERVAL, REST * (performance.now() - began)));
  };
  // Skimming past an article must not cause requests.
  timer = setTimeout(turn, CHECK_INTERVAL);
  return () => {
    clearTimeout(timer);
    // Removed images would keep loading otherwise.
    for (const element of started) if (!('complete' in element && element.complete)) drop(element);
    for (const one of elements) {
      for (const source of one.querySelectorAll('source')) source.remove();
      drop(one);
      one.load();
    }
  };
}

const isImage = (element: DeferredElement): element is HTMLImageElement => element.localName === 'img';

/** A drawing without a size has no width either. */
const isBroken = (image: HTMLImageElement): boolean =>
  image.complete && image.naturalWidth === 0 && !/\.svgz?(?:[?#]|$)/i.test(image.currentSrc || image.src);

/** CSS pixels: smaller images are not content. */
const SMALL = 48;

/** Returns the host of an image for display; empty if the image is not on another computer. */
const hostOf = (address: string): string =>
  /^https?:/i.test(address) && URL.canParse(address) ? shownHost(new URL(address).hostname).text : '';

/**
 * Takes the size of an image that is not shown, and marks it: its alternative text takes its place, or else its host. An image without
 * the attribute may still be content, unless it is small. An empty alternative text outside a figure means that the image is not content.
 */
export function markMissing(image: HTMLImageElement, address: string): void {
  const isSmall = ['width', 'height'].some((name) => {
    const size = Number.parseInt(image.getAttribute(name) ?? '', 10);
    return size < SMALL;
  });
  image.removeAttribute('width');
  image.removeAttribute('height');
  if (image.alt.trim()) image.classList.add('gl-off');
  else if (!isSmall && (!image.hasAttribute('alt') || image.closest('figure'))) {
    image.classList.add('gl-off', 'gl-blank');
    const host = hostOf(address);
    if (host) image.dataset['glHost'] = host;
  }
}

/** Shows that an image cannot be loaded. */
function showText(image: HTMLImageElement): void {
  const poster = image.closest('.gl-poster');
  if (poster) {
    poster.classList.add('gl-plain');
    return image.remove();
  }
  const address = image.currentSrc || image.src;
  drop(image);
  image.style.removeProperty('aspect-ratio');
  markMissing(image, address);
  // There is nothing to enlarge.
  image.closest('.gl-linked')?.querySelector('.gl-corner')?.remove();
  image.closest('.gl-zoom')?.replaceWith(image);
}

function drop(one: HTMLElement): void {
  for (const name of ['srcset', 'src', 'poster']) one.removeAttribute(name);
}

/** Restores the address of a deferred image. */
export function load(element: DeferredElement): void {
  const { glSrc, glSrcset, glPoster } = element.dataset;
  for (const deferred of ['glSrc', 'glSrcset', 'glPoster']) delete element.dataset[deferred];
  if (glPoster) element.setAttribute('poster', glPoster);
  if (glSrcset) element.setAttribute('srcset', glSrcset);
  if (glSrc) element.setAttribute('src', glSrc);
}
