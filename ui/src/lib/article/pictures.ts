/**
 * Pictures that load when they come near. A browser ignores `loading=lazy` where scripts are off, and WebKit calls no listener inside
 * such a frame, so the window looks at the frame's scroll position itself, a few times a second and only while pictures are waiting.
 */
const AHEAD = 1.5;
const EVERY = 150;
/** Pictures without a size are all near at first: the first ones make room, and most of the others are far away then. */
const AT_ONCE = 24;
/** On a page of ten thousands of pictures a look takes a while: never more than a tenth of the time. */
const REST = 10;

type Held = HTMLImageElement | HTMLVideoElement;

/** Starts looking after the pictures of a frame's document; the answer stops it, and whatever of them is still on its way. */
export function lazyPictures(doc: Document): () => void {
  const media = [...doc.querySelectorAll('video, audio')] as HTMLMediaElement[];
  const begun: Held[] = [];
  let waiting = [...doc.querySelectorAll<Held>('img[data-gl-src], img[data-gl-srcset], video[data-gl-poster]')];
  let seen = -1;
  let height = -1;

  /** Whether there is more to come. */
  const look = (): boolean => {
    const view = doc.defaultView;
    const page = doc.scrollingElement ?? doc.documentElement;
    if (!view || waiting.length === 0) return false;
    // Positions move when pictures above come in, hence the page's height.
    if (page.scrollTop === seen && page.scrollHeight === height) return true;
    seen = page.scrollTop;
    height = page.scrollHeight;
    const reach = view.innerHeight * AHEAD;
    const near: Held[] = [];
    for (const image of waiting) {
      const box = image.getBoundingClientRect();
      if (box.bottom > -reach && box.top < view.innerHeight + reach) near.push(image);
      if (near.length === AT_ONCE) break;
    }
    if (near.length === 0) return true;
    // There may be more.
    if (near.length === AT_ONCE) seen = -1;
    const taken = new Set(near);
    waiting = waiting.filter((image) => !taken.has(image));
    near.forEach(load);
    begun.push(...near);
    return true;
  };

  let timer: ReturnType<typeof setTimeout> | undefined;
  const turn = () => {
    const began = performance.now();
    if (look()) timer = setTimeout(turn, Math.max(EVERY, REST * (performance.now() - began)));
  };
  // Who only passes by asks for nothing.
  timer = setTimeout(turn, EVERY);
  return () => {
    clearTimeout(timer);
    // What is taken off the page goes on loading otherwise.
    for (const picture of begun) if (!('complete' in picture && picture.complete)) drop(picture);
    for (const one of media) {
      for (const source of one.querySelectorAll('source')) source.remove();
      drop(one);
      one.load();
    }
  };
}

function drop(one: HTMLElement): void {
  for (const name of ['srcset', 'src', 'poster']) one.removeAttribute(name);
}

function load(picture: Held): void {
  const { glSrc, glSrcset, glPoster } = picture.dataset;
  for (const held of ['glSrc', 'glSrcset', 'glPoster']) delete picture.dataset[held];
  if (glPoster) picture.setAttribute('poster', glPoster);
  if (glSrcset) picture.setAttribute('srcset', glSrcset);
  if (glSrc) picture.setAttribute('src', glSrc);
}
