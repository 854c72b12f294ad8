import type { ListLayout } from '../ipc';
import { settings } from './settings.svelte';

export const LAYOUTS: readonly ListLayout[] = ['panes', 'magazine', 'compact'];

export type Pane = 'sidebar' | 'list' | 'article';

/** Below this many CSS pixels at 100 % the window shows one pane in turn. */
const NARROW = 900;
/** CSS pixels at 100 %. */
const TIGHT = 360;
/** From so many on an article stands beside a magazine. */
const WIDE = 1560;

/** Which panes there are room for, and which has the stage. */
class Layout {
  width = $state(globalThis.innerWidth ?? 1280);
  /** Where they have it in turn: the list or the article. */
  stage = $state<'list' | 'article'>('list');
  drawer = $state(false);
  height = $state(globalThis.innerHeight ?? 820);
  /** So few letters fit in that nothing may stand beside another, or stay while the rest scrolls. */
  readonly tight = $derived(Math.min(this.width, 1.2 * this.height) / settings.value.text_scale < TIGHT);
  /** Nothing but the article. */
  zen = $state(false);
  readonly narrow = $derived(this.width / settings.value.text_scale < NARROW);
  readonly magazine = $derived(settings.value.list_layout === 'magazine');
  /** The list and the article have the stage in turn. */
  readonly turns = $derived(this.narrow || (this.magazine && this.width / settings.value.text_scale < WIDE));
  /** The article is in sight. */
  readonly shows = $derived(!this.turns || this.zen || this.stage === 'article');
  private awaited: { pane: Pane; from: Element | null } | null = null;
  private panes = new Map<Pane, () => void>();

  /** A pane says how it takes the focus. */
  register(pane: Pane, focus: () => void): () => void {
    this.panes.set(pane, focus);
    if (this.awaited?.pane === pane) {
      if (this.awaited.from === document.activeElement) focus();
      this.awaited = null;
    }
    return () => {
      if (this.panes.get(pane) === focus) this.panes.delete(pane);
    };
  }

  /** Gives a pane the focus; `ifFree`: unless it is taken elsewhere before the pane is drawn. */
  focus(pane: Pane, ifFree = false): void {
    if (pane !== 'article') this.zen = false;
    if (this.narrow) this.drawer = pane === 'sidebar';
    if (this.turns && pane !== 'sidebar') this.stage = pane;
    const from = document.activeElement;
    this.awaited = null;
    // A pane that has just come on the stage is drawn first.
    requestAnimationFrame(() => {
      if (ifFree && document.activeElement !== from) return;
      const take = this.panes.get(pane);
      if (take) take();
      // A list is there as soon as it has rows; until then the focus stays, unless it is taken elsewhere.
      else if (document.activeElement === from) this.awaited = { pane, from };
    });
  }

  /** The article alone, or the list beside it again. */
  toggleZen(): void {
    if (this.zen) return this.focus('list');
    this.zen = true;
    this.focus('article');
  }

  /** The next way to draw the list. */
  nextList(): void {
    const at = LAYOUTS.indexOf(settings.value.list_layout);
    this.drawList(LAYOUTS[(at + 1) % LAYOUTS.length] as ListLayout);
  }

  drawList(list_layout: ListLayout): void {
    settings.change({ list_layout });
    this.zen = false;
    if (this.turns) this.stage = this.current() === 'article' ? 'article' : 'list';
  }

  current(): Pane {
    const pane = document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset['pane'];
    return (pane as Pane | undefined) ?? 'list';
  }

  step(direction: 1 | -1): void {
    const order: Pane[] = ['sidebar', 'list', 'article'];
    const now = order.indexOf(this.current());
    this.focus(order[(now + direction + order.length) % order.length] as Pane);
  }
}

export const layout = new Layout();
