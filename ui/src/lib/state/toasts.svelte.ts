/** Short messages at the edge of the window. */
import { asIpcError } from '../ipc';
import { errorText } from '../messages/errors';

export type ToastAction = {
  readonly label: string;
  readonly run: () => void;
  /** The step that it undoes. */
  readonly undoes?: unknown;
  /** It does a step again that was undone. */
  readonly redoes?: boolean;
};
export type Toast = {
  readonly id: number;
  readonly text: string;
  /** The text for screen readers, if they get another. */
  readonly spoken?: string;
  readonly detail?: string;
  readonly isError: boolean;
  /** It stays until it is dismissed or replaced: what it says is still going on. */
  readonly stays: boolean;
  readonly action?: ToastAction;
};

type More = {
  readonly spoken?: string;
  readonly detail?: string;
  readonly isError?: boolean;
  readonly stays?: boolean;
  readonly action?: ToastAction;
};

const SHORT = 6_000;
const LONG = 14_000;

class Toasts {
  shown = $state.raw<readonly Toast[]>([]);
  /** Height of the bottom of the window that they cover, in CSS pixels. */
  room = $state(0);
  /** The bar of actions for several articles, which they must not cover. Set again when its size changes. */
  bar = $state.raw<{ readonly element: HTMLElement } | null>(null);
  private next = 1;
  private timers = new Map<number, ReturnType<typeof setTimeout>>();

  show(text: string, more: More = {}): number {
    const toast: Toast = {
      id: this.next++,
      text,
      spoken: more.spoken,
      detail: more.detail,
      isError: more.isError ?? false,
      stays: more.stays ?? false,
      action: more.action,
    };
    // One at a time: an older one may offer to undo a step that is no longer the last one.
    for (const { id } of this.shown) clearTimeout(this.timers.get(id));
    this.timers.clear();
    this.shown = [toast];
    this.wait(toast);
    return toast.id;
  }

  /** Shows an error that has no other place: what happened and what to do. */
  error(cause: unknown, action?: ToastAction): void {
    const words = errorText(asIpcError(cause));
    this.show(words.what, { detail: words.advice, isError: true, action });
  }

  /** After a new step nothing can be redone, so messages no longer offer it. */
  endRedo(): void {
    if (this.shown.some(({ action }) => action?.redoes))
      this.shown = this.shown.map((toast) => (toast.action?.redoes ? { ...toast, action: undefined } : toast));
  }

  dismiss(id: number): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
    this.shown = this.shown.filter((toast) => toast.id !== id);
  }

  /** Dismisses all: what they offer may be about another library. */
  forget(): void {
    for (const { id } of this.shown) this.dismiss(id);
  }

  /** A toast stays while it is hovered or focused. */
  hold(id: number): void {
    clearTimeout(this.timers.get(id));
  }

  release(id: number): void {
    const toast = this.shown.find((toast) => toast.id === id);
    if (toast) this.wait(toast);
  }

  private wait(toast: Toast): void {
    clearTimeout(this.timers.get(toast.id));
    if (toast.stays) return;
    this.timers.set(
      toast.id,
      setTimeout(() => this.dismiss(toast.id), toast.isError || toast.action ? LONG : SHORT),
    );
  }
}

export const toasts = new Toasts();
