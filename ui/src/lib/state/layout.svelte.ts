/** The panes of the window: which fit, and which one is shown. */
import type { Arrangement, Density, ListLayout } from '../ipc';
import { settings } from './settings.svelte';

export const LAYOUTS: readonly ListLayout[] = ['panes', 'magazine', 'compact', 'columns'];
export const ARRANGEMENTS: readonly Arrangement[] = ['widescreen', 'classic'];
export const DENSITIES: readonly Density[] = ['comfortable', 'cosy', 'compact'];

type Pane = 'sidebar' | 'list' | 'article';

/** Below this width (CSS pixels at 100 %) the window shows one pane at a time. */
const NARROW = 900;
/** CSS pixels at 100 %. */
const TIGHT = 360;
/** At this width (CSS pixels at 100 %) or more, buttons of the sidebar and the list have labels, if there is room. */
const WORDY = 1440;
/** At this width (CSS pixels at 100 %) or more, the article fits beside the magazine list. */
const WIDE = 1560;

/** Which panes fit into the window and which one is shown. */
class Layout {
  /** The first frame, with the list, has been drawn. What it does without follows. */
  drawn = $state(true);
  width = $state(globalThis.innerWidth ?? 1280);
  /** The visible pane when only one fits: the list or the article. */
  visiblePane = $state<'list' | 'article'>('list');
  drawer = $state(false);
  height = $state(globalThis.innerHeight ?? 820);
  /** The text is so large that nothing fits side by side or may stay sticky. */
  readonly tight = $derived(Math.min(this.width, 1.2 * this.height) / settings.value.text_scale < TIGHT);
  /** Only the article is shown. */
  zen = $state(false);
  readonly narrow = $derived(this.width / settings.value.text_scale < NARROW);
  readonly wordy = $derived(this.width / settings.value.text_scale >= WORDY);
  readonly magazine = $derived(settings.value.list_layout === 'magazine');
  /** The sidebar is a drawer above the other panes, closed at first. */
  readonly drawered = $derived(this.narrow || settings.value.hide_sidebar);
  /** The list is above the article. */
  readonly classic = $derived(!this.narrow && settings.value.arrangement === 'classic');
  /** List and article share one pane. */
  readonly onePane = $derived(
    this.narrow || (this.magazine && !this.classic && this.width / settings.value.text_scale < WIDE),
  );
  /** The article is visible. */
  readonly articleVisible = $derived(!this.onePane || this.zen || this.visiblePane === 'article');
  private pendingFocus: { pane: Pane; from: Element | null } | null = null;
  /** A pane is about to take the focus. */
  focusing = false;
  /** Returns whether an article is open. Set by the article's state. */
  isArticleOpen = (): boolean => true;
  private panes = new Map<Pane, () => void>();

  /** Registers how a pane takes the focus. Returns a function that unregisters it. */
  register(pane: Pane, focus: () => void): () => void {
    this.panes.set(pane, focus);
    if (this.pendingFocus?.pane === pane) {
      if (this.pendingFocus.from === document.activeElement) focus();
      this.pendingFocus = null;
    }
    return () => {
      if (this.panes.get(pane) === focus) this.panes.delete(pane);
    };
  }

  /** Focuses a pane. `ifFree`: only if the focus does not move before the pane is drawn. */
  focus(wanted: Pane, ifFree = false): void {
    // Not an empty pane in place of the list.
    const pane = wanted === 'article' && this.onePane && !this.isArticleOpen() ? 'list' : wanted;
    if (pane !== 'article') this.zen = false;
    if (this.drawered) this.drawer = pane === 'sidebar';
    if (this.onePane && pane !== 'sidebar') this.visiblePane = pane;
    const from = document.activeElement;
    this.pendingFocus = null;
    this.focusing = true;
    let clicked = false;
    const click = () => (clicked = true);
    addEventListener('pointerdown', click, { capture: true, once: true });
    // A pane that has just become visible must be drawn first. The frame can be late: a click has priority then, and so
    // has a field that took the focus meanwhile.
    requestAnimationFrame(() => {
      removeEventListener('pointerdown', click, true);
      this.focusing = false;
      const now = document.activeElement;
      if (clicked || (now !== from && (ifFree || now?.matches('input, textarea')))) return;
      const take = this.panes.get(pane);
      if (take) take();
      // The list exists once it has rows; until then focus stays put.
      else if (now === from) this.pendingFocus = { pane, from };
    });
  }

  /** Focuses the pane beside the sidebar, or below its drawer, which closes. */
  leaveSidebar(): void {
    this.focus(this.onePane ? this.visiblePane : 'list');
  }

  /** Switches between the article alone and the article with the list. */
  toggleZen(): void {
    if (this.zen) return this.focus('list');
    this.zen = true;
    this.focus('article');
  }

  /** Hides or shows the sidebar. A narrow window has room for it only as long as it has the focus. */
  toggleSidebar(): void {
    if (this.narrow) return this.drawer ? this.leaveSidebar() : this.focus('sidebar');
    const hide_sidebar = !settings.value.hide_sidebar;
    const from = this.current();
    settings.change({ hide_sidebar });
    this.drawer = false;
    this.zen = false;
    if (hide_sidebar && from === 'sidebar') this.focus('list');
  }

  /** Switches to the next list layout. */
  nextList(): void {
    const at = LAYOUTS.indexOf(settings.value.list_layout);
    this.setListLayout(LAYOUTS[(at + 1) % LAYOUTS.length] as ListLayout);
  }

  setListLayout(list_layout: ListLayout): void {
    this.change({ list_layout });
  }

  /** Switches to the other arrangement. */
  nextArrangement(): void {
    const at = ARRANGEMENTS.indexOf(settings.value.arrangement);
    this.setArrangement(ARRANGEMENTS[(at + 1) % ARRANGEMENTS.length] as Arrangement);
  }

  setArrangement(arrangement: Arrangement): void {
    this.change({ arrangement });
  }

  /** Changes settings of the panes so that the result is visible. */
  private change(part: { list_layout: ListLayout } | { arrangement: Arrangement }): void {
    settings.change(part);
    this.zen = false;
    if (this.onePane) this.visiblePane = this.current() === 'article' && this.isArticleOpen() ? 'article' : 'list';
  }

  current(): Pane {
    const pane = document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset['pane'];
    return (pane as Pane | undefined) ?? 'list';
  }

  step(direction: 1 | -1): void {
    const order: Pane[] = ['sidebar', 'list'];
    if (!this.onePane || this.isArticleOpen()) order.push('article');
    const now = order.indexOf(this.current());
    this.focus(order[(now + direction + order.length) % order.length] as Pane);
  }
}

export const layout = new Layout();
