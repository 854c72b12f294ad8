/** Leaving a form of a dialog. What was typed is not discarded by accident. */
import { t } from './messages';
import { toasts } from './state/toasts.svelte';

/** Moves the focus to the button of a form that discards what was typed, which has `data-cancel`, and says so. */
export function askToDiscard(form: Element): void {
  form.querySelector<HTMLElement>('[data-cancel]')?.focus();
  toasts.show(t('form.unsaved'));
}

/** Returns whether the dialog can be closed without losing typed text; if not, moves the focus to that form and says so. */
export function mayLeaveDialog(): boolean {
  const form = document.querySelector('[role=dialog] form[data-typed]');
  if (form) askToDiscard(form);
  return form === null;
}

/**
 * Returns a handler of keys for a form: Escape leaves the form, not the dialog around it. If something was typed, it
 * takes a second Escape on the button that discards it.
 */
export const escapeForm =
  (typed: () => boolean, leave: () => void) =>
  (event: KeyboardEvent & { readonly currentTarget: HTMLFormElement }): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    const target = event.target as Element;
    // An open list of options closes first.
    if (target.getAttribute('aria-expanded') === 'true') return;
    event.stopPropagation();
    event.preventDefault();
    if (typed() && !target.hasAttribute('data-cancel')) askToDiscard(event.currentTarget);
    else leave();
  };
