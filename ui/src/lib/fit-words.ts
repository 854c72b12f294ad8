/**
 * Shows labels beside the icons of a toolbar if all fit into one line, or else only those of its last group if these fit. Labels on only
 * some buttons of a group would look like a mistake.
 */
import { afterFont } from './fonts';

/** Returns whether everything is in one line and nothing that is marked as `data-whole` is cut. */
function fits(bar: HTMLElement): boolean {
  const oneLine = (parent: HTMLElement): boolean => {
    const boxes = [...parent.children].map((one) => one.getBoundingClientRect()).filter((box) => box.width > 0);
    return boxes.every((box) => box.top < (boxes[0]?.bottom ?? 0));
  };
  const whole = [...bar.querySelectorAll<HTMLElement>('[data-whole]')];
  return (
    oneLine(bar) &&
    bar.scrollWidth <= bar.clientWidth &&
    whole.every((one) => oneLine(one) && [...one.children].every((part) => part.scrollWidth <= part.clientWidth))
  );
}

/**
 * Attachment of a toolbar. Its `data-words` informs `IconButton` for which words there is room: `all`, or `last`, those of the group that
 * follows `data-last`.
 */
export function fitWords(bar: HTMLElement): () => void {
  const measure = (): void => {
    const isWorded = ['all', ...(bar.querySelector('[data-last]') ? ['last'] : [])].some((words) => {
      bar.dataset['words'] = words;
      return fits(bar);
    });
    if (!isWorded) delete bar.dataset['words'];
    afterFont(bar.textContent, measure);
  };
  // The words change with the article, and the room with the pane.
  const changed = new MutationObserver(measure);
  changed.observe(bar, { childList: true, characterData: true, subtree: true });
  const resized = new ResizeObserver(measure);
  resized.observe(bar);
  return () => {
    changed.disconnect();
    resized.disconnect();
  };
}
