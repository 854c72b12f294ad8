import { settings } from './settings.svelte';

export type Pane = 'sidebar' | 'list' | 'article';

/** Below this many CSS pixels at 100 % the window shows one pane in turn. */
const NARROW = 900;
/** CSS pixels at 100 %. */
const TIGHT = 340;

/** Which panes there are room for, and which has the stage. */
class Layout {
  width = $state(globalThis.innerWidth ?? 1280);
  /** In a narrow window: the list or the article. */
  stage = $state<'list' | 'article'>('list');
  drawer = $state(false);
  height = $state(globalThis.innerHeight ?? 820);
  /** So few letters fit in that nothing may stand beside another, or stay while the rest scrolls. */
  readonly tight = $derived(Math.min(this.width, 1.2 * this.height) / settings.value.text_scale < TIGHT);
  readonly narrow = $derived(this.width / settings.value.text_scale < NARROW);
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

  focus(pane: Pane): void {
    if (this.narrow) {
      this.drawer = pane === 'sidebar';
      if (pane !== 'sidebar') this.stage = pane;
    }
    const from = document.activeElement;
    this.awaited = null;
    // A pane that has just come on the stage is drawn first.
    requestAnimationFrame(() => {
      const take = this.panes.get(pane);
      if (take) take();
      // A list is there as soon as it has rows; until then the focus stays, unless it is taken elsewhere.
      else if (document.activeElement === from) this.awaited = { pane, from };
    });
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
