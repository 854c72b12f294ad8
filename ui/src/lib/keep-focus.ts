/**
 * Called before groups of entries change. The returned function is called afterwards: if the focused element was removed, the entry that
 * Tab reaches in its group gets the focus, or else the one in the next or the previous group, or else `root`.
 */
export function keepFocus(root: HTMLElement): () => void {
  const focused = document.activeElement;
  if (!focused || !root.contains(focused)) return () => {};
  const groups = [...root.querySelectorAll('section')];
  const at = Math.max(
    0,
    groups.findIndex((group) => group.contains(focused)),
  );
  return () => {
    if (focused.isConnected) return;
    const near = [...groups.slice(at), ...groups.slice(0, at).toReversed()].filter((group) => group.isConnected);
    // An entry and no button, which a key that is pressed again would press.
    const entry = near.map((group) => group.querySelector<HTMLElement>('[role=option][tabindex="0"]')).find(Boolean);
    (entry ?? root).focus();
  };
}
