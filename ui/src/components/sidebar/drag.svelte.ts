/** Drag and drop of tree rows. The target is marked; Escape cancels. */
import { dropAtEnd, dropOn, type Drop, type Moved } from '../../lib/arrange';
import { t } from '../../lib/messages';
import { drop } from '../../lib/state/arrange';
import { library } from '../../lib/state/library.svelte';
import { screenReader } from '../../lib/state/screen-reader.svelte';
import { sidebar } from '../../lib/state/sidebar.svelte';
import type { Node } from './nodes';

/** CSS pixels: a smaller movement is a click. */
const BEGINS = 5;
/** CSS pixels: near the edge the tree scrolls. */
const EDGE = 32;

type Ground = { readonly scroll: HTMLElement; readonly nodes: () => readonly Node[] };

class Drag {
  moved = $state.raw<Moved | null>(null);
  drop = $state.raw<Drop | null>(null);
  at = $state.raw({ x: 0, y: 0 });
  /** The click that ends a drag is ignored. */
  dragged = false;

  private from = { x: 0, y: 0 };
  private key = '';
  private ground: Ground | null = null;
  private frame = 0;

  /** A pointer was pressed on a row. */
  press(event: PointerEvent, key: string, ground: Ground): void {
    // Touch scrolls; other buttons open menus.
    if (event.button !== 0 || event.pointerType === 'touch') return;
    Object.assign(this, { from: { x: event.clientX, y: event.clientY }, key, ground });
    this.listen('add');
  }

  private readonly move = (event: PointerEvent): void => {
    this.at = { x: event.clientX, y: event.clientY };
    if (!this.moved) {
      if (Math.hypot(event.clientX - this.from.x, event.clientY - this.from.y) < BEGINS) return;
      const targets = sidebar.targets(this.key);
      if (targets.feeds.length + targets.folders.length === 0) return this.end();
      this.moved = targets;
      this.dragged = true;
      this.scroll();
    }
    event.preventDefault();
    this.findTarget();
  };

  /** Finds the target under the pointer. */
  private findTarget(): void {
    const { ground, moved } = this;
    if (!ground || !moved) return;
    const box = ground.scroll.getBoundingClientRect();
    const { x, y } = this.at;
    if (x < box.left || x > box.right || y < box.top - EDGE || y > box.bottom + EDGE) {
      this.drop = null;
      return;
    }
    const element = document.elementFromPoint(x, Math.min(Math.max(y, box.top + 1), box.bottom - 1));
    const row = element?.closest<HTMLElement>('[data-key]');
    const node = ground.nodes().find((node) => node.key === row?.dataset['key']);
    if (!row) {
      const last = [...ground.scroll.querySelectorAll<HTMLElement>('[data-key]')].at(-1);
      // Only a part of a long tree is drawn.
      const isLast = last?.dataset['key'] === ground.nodes().at(-1)?.key;
      this.drop = last && isLast && y > last.getBoundingClientRect().bottom ? dropAtEnd : null;
      return;
    }
    const { top, height } = row.getBoundingClientRect();
    this.drop = node?.kind === 'row' ? dropOn(library, node.row, (y - top) / height, moved) : null;
  }

  private scroll(): void {
    this.frame = requestAnimationFrame(() => {
      const { ground } = this;
      if (!ground || !this.moved) return;
      const { top, bottom } = ground.scroll.getBoundingClientRect();
      const { y } = this.at;
      const by = y < top + EDGE ? y - top - EDGE : y > bottom - EDGE ? y - bottom + EDGE : 0;
      if (by !== 0) {
        ground.scroll.scrollTop += Math.sign(by) * Math.min(12, Math.ceil(Math.abs(by) / 3));
        this.findTarget();
      }
      this.scroll();
    });
  }

  private readonly up = (): void => {
    const { moved, drop: to } = this;
    this.end();
    if (moved && to) void drop(moved, to.to);
  };

  private readonly keydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.moved) return;
    event.preventDefault();
    event.stopPropagation();
    screenReader.say(t('tree.cancelled'));
    this.end();
  };

  private readonly end = (): void => {
    cancelAnimationFrame(this.frame);
    this.listen('remove');
    this.moved = null;
    this.drop = null;
    this.ground = null;
  };

  private listen(how: 'add' | 'remove'): void {
    const to = how === 'add' ? window.addEventListener.bind(window) : window.removeEventListener.bind(window);
    to('pointermove', this.move);
    to('pointerup', this.up);
    to('pointercancel', this.end);
    to('blur', this.end);
    to('keydown', this.keydown, true);
  }
}

export const drag = new Drag();
