/**
 * The owner of the focus. It belongs to the sidebar, the list, the article or a text field, and to a dialog or menu while
 * one is open. A click on a button never moves it, so that keys go on doing what they did before the click.
 */
import { isModifier } from '../keys/bindings';
import { dialogs } from './dialogs.svelte';
import { layout } from './layout.svelte';
import { pageMenu } from './page-menu.svelte';

/** Controls that a click does not focus. Inputs take the focus: they need it for typing, dragging and native popups. */
const CONTROLS = 'button, summary, [role=button], [role=separator]';
/** Elements that take the focus only for a while, and return it. */
const OVERLAYS = '[role=menu], [role=dialog], [role=alertdialog], .toasts, .tooltip';
const FIELDS = 'input, textarea, select, [contenteditable=true]';
/** Fields for text, in which WebKit shows its menu for editing. */
export const TEXT_FIELDS =
  'input:not([type=checkbox],[type=radio],[type=button],[type=range]), textarea, [contenteditable=true]';

const canTake = (element: HTMLElement): boolean =>
  element.isConnected && !element.closest('[inert]') && element.getClientRects().length > 0;

class Focus {
  /** The last input was a key; the next focus came from it. */
  private keyed = false;
  /** The element with the focus got it by a key; the attribute `data-key-focus` says so to style sheets. */
  private keyFocused = false;
  /** The last element outside dialogs and menus that had the focus, and its pane. */
  private last: HTMLElement | null = null;
  private pane: string | undefined;
  /** The element with the focus. */
  private owner: HTMLElement | null = null;

  /** Returns whether the focus came by Tab or another key: only then Space and Enter press the focused button. */
  get cameByKey(): boolean {
    return this.keyFocused;
  }

  /**
   * Returns the element that gets the focus back when a menu or dialog closes: the one that had it, or the one that took its place in the
   * sidebar or article, or the list, or the first option of the welcome view.
   */
  home(): HTMLElement | null {
    const { last } = this;
    if (last && canTake(last)) return last;
    const successor =
      this.pane === 'sidebar'
        ? (document.querySelector<HTMLElement>('[data-pane="sidebar"] [role="treeitem"][tabindex="0"]') ??
          document.querySelector<HTMLElement>('[data-pane="sidebar"] [role="search"] input'))
        : this.pane === 'article'
          ? document.querySelector<HTMLElement>('main[data-pane="article"]')
          : null;
    if (successor && canTake(successor)) return successor;
    const list = document.querySelector<HTMLElement>('[data-pane="list"] [role="listbox"], .ways button');
    return list?.closest('[inert]') ? document.querySelector<HTMLElement>('main[data-pane="article"]') : list;
  }

  /** Listens to the window. Returns a function that stops it. */
  listen(): () => void {
    const ended = new AbortController();
    const capture = { capture: true, signal: ended.signal };
    addEventListener('keydown', (event) => this.key(event), capture);
    addEventListener('pointerdown', () => (this.keyed = false), capture);
    addEventListener('mousedown', (event) => this.pressed(event), capture);
    addEventListener('contextmenu', (event) => this.menuByKey(event), capture);
    addEventListener('contextmenu', (event) => this.menuByMouse(event), { signal: ended.signal });
    addEventListener('focusin', (event) => this.moved(event), capture);
    addEventListener('focusout', (event) => this.left(event), capture);
    addEventListener('change', (event) => this.changed(event), { signal: ended.signal });
    const removals = new MutationObserver(() => this.removed());
    removals.observe(document.body, { childList: true, subtree: true });
    return () => {
      ended.abort();
      removals.disconnect();
    };
  }

  /** The attribute `data-keyboard` says to style sheets that a key has been pressed since the start. */
  private key(event: KeyboardEvent): void {
    // A held modifier is not a new key: the mouse may be used at the same time.
    this.keyed ||= !event.repeat;
    if (!isModifier(event.key)) document.documentElement.toggleAttribute('data-keyboard', true);
  }

  /**
   * WebKit requests the menu of Shift+F10 and of the menu key somewhere below the focused element. The element with the
   * focus is asked instead.
   */
  private menuByKey(event: MouseEvent): void {
    const element = document.activeElement;
    if (!event.isTrusted || !this.keyed || !element || element.matches(TEXT_FIELDS)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const unhandled = element.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
    if (unhandled) pageMenu.request({ x: -1, y: -1 });
  }

  /** If an event has no handler and nothing shows a menu, WebKit opens no more menus. */
  private menuByMouse(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    if (!event.isTrusted || event.defaultPrevented || target?.closest(TEXT_FIELDS)) return;
    event.preventDefault();
    pageMenu.request({ x: event.clientX, y: event.clientY });
  }

  private pressed(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    // In a dialog the window's keys do nothing, so a clicked control may have the focus, such as a tab for the arrow keys.
    if (!target || target.closest(`${FIELDS}, [role=dialog], [role=alertdialog]`)) return;
    if (target.closest(CONTROLS)) event.preventDefault();
  }

  private moved({ target }: FocusEvent): void {
    this.keyFocused = this.keyed;
    document.documentElement.toggleAttribute('data-key-focus', this.keyed);
    if (!(target instanceof HTMLElement)) return;
    this.owner = target;
    if (target.closest(OVERLAYS)) return;
    this.pane = target.closest<HTMLElement>('[data-pane]')?.dataset['pane'];
    // Text fields outside dialogs come and go, for example that of the search.
    if (!target.matches(FIELDS) && target !== document.body) this.last = target;
  }

  /** The focused element was disabled, or the user clicked an empty place. */
  private left({ relatedTarget }: FocusEvent): void {
    this.owner = null;
    if (relatedTarget === null) setTimeout(() => this.settle());
  }

  /** The page has changed. WebKit sends no event when the focused element is removed. */
  private removed(): void {
    if (!this.owner || this.owner.isConnected) return;
    this.owner = null;
    setTimeout(() => this.settle());
  }

  /** Gives the focus back if nothing has it. */
  private settle(): void {
    const free = document.activeElement === null || document.activeElement === document.body;
    if (free && document.hasFocus() && !dialogs.covered && !layout.focusing)
      this.home()?.focus({ preventScroll: true });
  }

  /** The list appeared: it takes a focus that was lost while there was none. At the start nothing has had the focus. */
  listAppeared(): void {
    if (this.last !== null) setTimeout(() => this.settle());
  }

  /** A native list or slider was used with the mouse: keys belong to the list again. */
  private changed({ target }: Event): void {
    const used = target instanceof HTMLElement && target.matches('select, input[type=range]');
    if (used && !this.keyed && !target.closest(OVERLAYS)) this.home()?.focus({ preventScroll: true });
  }
}

export const focus = new Focus();
