/** The reading position of the article in a frame: measured, restored, and saved regularly. */
import { reading, type ReadingPlace } from './article.svelte';

/** Milliseconds between checks of the position: it is saved when it rests, and at the latest after `SAVE_WITHIN`. */
const SAVE_CHECK = 500;
const SAVE_WITHIN = 5000;
/** CSS pixels: an article that can be scrolled by no more fits. */
const FITS = 40;

/** Returns how far an element can be scrolled, in CSS pixels. */
export const room = (element: Element): number => element.scrollHeight - element.clientHeight;

/** Returns the reading position: 0 is the start, 1 the end. An article that fits has none. */
export function positionOf(element: Element): number {
  const long = room(element);
  return long > FITS ? Math.min(1, Math.max(0, element.scrollTop / long)) : 0;
}

export function scrollToPosition(element: Element, position: number): void {
  element.scrollTo({ top: position * room(element), behavior: 'instant' });
}

/**
 * Saves the reading position that `place` returns, until the returned function is called. The frame reports no scroll
 * events, so it is saved regularly in case the window is closed or killed.
 */
export function saveRegularly(place: () => ReadingPlace | null): () => void {
  reading.place = place;
  let [last, since] = [0, 0];
  const timer = setInterval(() => {
    const position = place()?.position ?? 0;
    since += SAVE_CHECK;
    if (position === last || since >= SAVE_WITHIN) {
      reading.savePosition();
      since = 0;
    }
    last = position;
  }, SAVE_CHECK);
  return () => {
    clearInterval(timer);
    reading.savePosition();
    if (reading.place === place) reading.place = null;
  };
}
