/** Escape in a form of a dialog. */

/**
 * Returns a handler of keys for a form: Escape leaves the form, not the dialog around it. If something was typed, it
 * moves the focus to the button that discards it, which has `data-cancel`.
 */
export const escapeForm =
  (typed: () => boolean, leave: () => void) =>
  (event: KeyboardEvent & { readonly currentTarget: HTMLFormElement }): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // An open list of options closes first.
    if ((event.target as Element).getAttribute('aria-expanded') === 'true') return;
    event.stopPropagation();
    event.preventDefault();
    const cancel = event.currentTarget.querySelector<HTMLElement>('[data-cancel]');
    if (typed()) cancel?.focus();
    else leave();
  };
