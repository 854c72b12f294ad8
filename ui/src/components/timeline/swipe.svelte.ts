/**
 * Swiping a row by touch or trackpad: right toggles read, left toggles the star. Only clearly horizontal movements
 * are swipes; everything else scrolls, which the list's `touch-action` leaves to the browser.
 */
import { list } from '../../lib/state/list.svelte';
import { toggleRead, toggleStar } from '../../lib/state/marks';

/** CSS pixels: minimum movement of a swipe, and before releasing has an effect. */
const BEGINS = 12;
const ACTS = 72;
const FARTHEST = 128;
/** Milliseconds without a wheel event after which the fingers have left the trackpad. */
const REST = 160;

export class Swipe {
  id = $state<number | null>(null);
  x = $state(0);
  readonly sure = $derived(Math.abs(this.x) >= ACTS);

  private from: { pointer: number; id: number; x: number; y: number } | null = null;
  private turned = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** A swipe ends with a click, which must not open the row. */
  private swiped = false;

  down = (event: PointerEvent): void => {
    this.swiped = false;
    const id = idAt(event);
    if (event.pointerType === 'mouse' || !event.isPrimary || id === null) return;
    this.from = { pointer: event.pointerId, id, x: event.clientX, y: event.clientY };
  };

  move = (event: PointerEvent): void => {
    const { from } = this;
    if (!from || event.pointerId !== from.pointer) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (this.id === null) {
      if (Math.abs(y) > BEGINS) this.from = null;
      if (Math.abs(x) < BEGINS || Math.abs(x) < 2 * Math.abs(y)) return;
      this.id = from.id;
      (event.currentTarget as Element).setPointerCapture?.(event.pointerId);
    }
    this.x = Math.max(-FARTHEST, Math.min(FARTHEST, x));
  };

  up = (): void => {
    this.from = null;
    if (this.id !== null) this.end(true);
  };

  /** The browser treats the gesture as scrolling. */
  cancel = (): void => {
    this.from = null;
    this.end(false);
  };

  wheel = (event: WheelEvent): void => {
    const sideways = Math.abs(event.deltaX) > 2 * Math.abs(event.deltaY) && event.deltaMode === 0;
    if (!sideways || event.ctrlKey || event.shiftKey) return;
    const id = idAt(event);
    if (this.id === null && (id === null || Math.abs((this.turned += event.deltaX)) < BEGINS)) return this.restSoon();
    event.preventDefault();
    this.id ??= id;
    this.x = Math.max(-FARTHEST, Math.min(FARTHEST, this.x - event.deltaX));
    this.restSoon();
  };

  /** Returns whether a click belongs to a finished swipe. */
  took(): boolean {
    const { swiped } = this;
    this.swiped = false;
    return swiped;
  }

  private restSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.turned = 0;
      if (this.id !== null && !this.from) {
        this.end(true);
        this.swiped = false;
      }
    }, REST);
  }

  private end(acts: boolean): void {
    const row = list.row(this.id);
    if (row && acts && this.sure) void (this.x > 0 ? toggleRead(row) : toggleStar(row));
    this.swiped = this.id !== null;
    this.id = null;
    this.x = 0;
  }
}

function idAt(event: Event): number | null {
  const option = (event.target as Element).closest<HTMLElement>('[data-index]');
  return list.rows[Number(option?.dataset['index'] ?? -1)]?.id ?? null;
}
