/**
 * The focus of the frames of articles and comments. WebKit calls no listener inside them, so the window notices a click in a
 * frame by the focus that it loses, and takes it back.
 */
import { dialogs } from './dialogs.svelte';

/** Milliseconds after Tab was pressed in which a frame got the focus by it. */
const BY_TAB = 400;

export class FrameFocus {
  /** When Tab was last pressed: focus that came by Tab stays in the frame, so that links can be reached. */
  private tabbed = -Infinity;

  /** `home`: the element that gets the focus back. */
  constructor(
    private readonly frame: () => HTMLIFrameElement | undefined,
    private readonly home: () => HTMLElement | undefined,
  ) {}

  /** Called when the window has received a key. */
  key(event: KeyboardEvent): void {
    if (event.key === 'Tab') this.tabbed = performance.now();
  }

  /** Called when the window has lost the focus. */
  blurred(): void {
    const closeMenus = dialogs.menusOpenNow();
    // The focus has moved only after the event.
    setTimeout(() => {
      if (!this.isFocused()) return;
      // Menus do not notice a click in a frame. The menu that this click has opened meanwhile stays, and takes the focus.
      if (!closeMenus() && performance.now() - this.tabbed > BY_TAB) this.home()?.focus({ preventScroll: true });
    });
  }

  private isFocused(): boolean {
    const frame = this.frame();
    return frame !== undefined && document.activeElement === frame;
  }
}
