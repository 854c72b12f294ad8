/** Links that the user wants to add as a feed: pasted into the window, dropped on it, or in the clipboard. */
import { call } from '../ipc';
import { dialogs } from './dialogs.svelte';
import { undoable } from './feeds';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { toasts } from './toasts.svelte';

/** The input when the dialog was closed without subscribing. */
export const unfinishedAddress = { text: '' };

/** Longer text is not an address. */
const MAX_LENGTH = 2000;

/** Returns the address that a text is; `null` for any other text. */
export function linkOf(text: string): string | null {
  const line = text.trim();
  const isLink = line.length <= MAX_LENGTH && /^(?:https?|feed|rss|itpc|pcast|podcast|web\+feed):\S+$/i.test(line);
  return isLink && /[./][^/]/.test(line.replace(/^[a-z+]+:\/*/i, '')) ? line : null;
}

/** Returns the link in the clipboard, if the system lets the window read it. */
export async function copiedLink(): Promise<string | null> {
  try {
    return linkOf(await navigator.clipboard.readText());
  } catch {
    // The system refused: then the field stays empty.
    return null;
  }
}

const isForField = ({ target }: Event): boolean =>
  dialogs.covered || (target instanceof Element && target.closest('input, textarea, [contenteditable=true]') !== null);

function add(event: Event, data: DataTransfer | null): void {
  if (isForField(event)) return;
  const address = linkOf(data?.getData('text/plain') ?? '');
  if (!address) return;
  event.preventDefault();
  dialogs.show({ kind: 'add', address, search: true });
}

/** A text was pasted outside any field. */
export const pasted = (event: ClipboardEvent): void => add(event, event.clipboardData);

/** A text that may be a link was dropped outside any field. The shell reports files, and links that are no text. */
export const dropped = (event: DragEvent): void => add(event, event.dataTransfer);

/** Allows a text to be dropped. It cannot be read before the drop. */
export function draggedOver(event: DragEvent): void {
  const data = event.dataTransfer;
  if (!data?.types.includes('text/plain') || isForField(event)) return;
  event.preventDefault();
  // Moved, the text would be deleted where it comes from.
  data.dropEffect = 'copy';
}

/** Reports new subscriptions; they can be undone together. */
export function subscribed(feedIds: readonly number[], message: string): void {
  const undo = async (): Promise<void> => {
    try {
      const { undo: step } = await call('unsubscribe', { feed_ids: [...feedIds] });
      removed = step;
      const { source } = list;
      if (source.kind === 'feed' && feedIds.includes(source.id)) await list.show({ kind: 'unread' });
      await library.load();
    } catch (error) {
      toasts.error(error);
    }
  };
  let removed: number | null = null;
  const again = async (): Promise<void> => {
    if (removed === null) return;
    try {
      await call('undo', { undo: removed });
      subscribed(feedIds, message);
    } catch (error) {
      toasts.error(error);
    }
  };
  undoable(message, [], () => void undo(), again);
}
