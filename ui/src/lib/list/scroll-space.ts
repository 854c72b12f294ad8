/**
 * Supports lists taller than the maximum element height (about 33 million pixels in WebKit). The element shows a part
 * of the list; `shift` is the height above that part. Small steps scroll normally; a jump goes to the same share of
 * the list; before the element ends, it is moved invisibly.
 */
const TALLEST = 8_000_000;

export type Seat = { readonly scrollTop: number; readonly shift: number };

/** Returns the height of the element. */
export const elementHeight = (total: number, tallest = TALLEST): number => Math.min(total, tallest);

/** Returns the scroll position of the element that shows this height of the list. */
export function seat(y: number, total: number, height: number, tallest = TALLEST): Seat {
  if (total <= tallest) return { scrollTop: y, shift: 0 };
  const end = tallest - height;
  const rest = total - height - y;
  // Near its ends the list ends with the element; elsewhere there is room on both sides.
  const room = end / 4;
  const share = (y / Math.max(1, total - height)) * end;
  const scrollTop = Math.round(Math.max(Math.min(y, room), Math.min(end - Math.min(rest, room), share)));
  return { scrollTop, shift: y - scrollTop };
}

/** Returns the position in the list after a scroll of the element. */
export function scrolledTo(scrollTop: number, before: Seat, total: number, height: number, tallest = TALLEST): Seat {
  if (total <= tallest) return { scrollTop, shift: 0 };
  // A fast wheel scrolls some screens at once; the scrollbar's thumb goes further per pixel.
  const farthest = Math.max(2 * height, tallest / height / 2);
  if (Math.abs(scrollTop - before.scrollTop) > farthest) {
    const share = scrollTop / Math.max(1, tallest - height);
    return { scrollTop, shift: share * (total - height) - scrollTop };
  }
  const y = Math.max(0, Math.min(total - height, scrollTop + before.shift));
  const nearEdge = scrollTop < height || scrollTop > tallest - 2 * height;
  return nearEdge ? seat(y, total, height, tallest) : { scrollTop, shift: before.shift };
}
