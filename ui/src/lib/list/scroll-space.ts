/**
 * A list may be taller than a browser can make an element (WebKit: some 33 million pixels). Then the element is as tall as it may be and
 * stands for a part of the list at a time: `shift` says how far down. Small steps scroll as always; a jump goes to the same share of the
 * list; and before the element ends where the list does not, it is seated anew, which nobody sees.
 */
const TALLEST = 8_000_000;

export type Seat = { readonly scrollTop: number; readonly shift: number };

/** The height of the element. */
export const elementHeight = (total: number, tallest = TALLEST): number => Math.min(total, tallest);

/** Where the element is scrolled to, for this height of the list to be at its top edge. */
export function seat(y: number, total: number, height: number, tallest = TALLEST): Seat {
  if (total <= tallest) return { scrollTop: y, shift: 0 };
  const end = tallest - height;
  const rest = total - height - y;
  // Near its ends the list ends with the element; elsewhere there is room to scroll on both sides.
  const room = end / 4;
  const share = (y / Math.max(1, total - height)) * end;
  const scrollTop = Math.round(Math.max(Math.min(y, room), Math.min(end - Math.min(rest, room), share)));
  return { scrollTop, shift: y - scrollTop };
}

/** What a scroll of the element from `before` to `scrollTop` means. */
export function scrolledTo(scrollTop: number, before: Seat, total: number, height: number, tallest = TALLEST): Seat {
  if (total <= tallest) return { scrollTop, shift: 0 };
  // A wheel that is turned fast goes some screens at once; a scrollbar's thumb goes further with each pixel.
  const farthest = Math.max(2 * height, tallest / height / 2);
  if (Math.abs(scrollTop - before.scrollTop) > farthest) {
    const share = scrollTop / Math.max(1, tallest - height);
    return { scrollTop, shift: share * (total - height) - scrollTop };
  }
  const y = Math.max(0, Math.min(total - height, scrollTop + before.shift));
  const nearEdge = scrollTop < height || scrollTop > tallest - 2 * height;
  return nearEdge ? seat(y, total, height, tallest) : { scrollTop, shift: before.shift };
}
