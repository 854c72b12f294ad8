/** Links that the user wants to add as a feed: pasted into the window, dropped on it, or in the clipboard. */
import { dialogs } from './dialogs.svelte';

/** The input when the dialog was closed without subscribing. */
export const unfinishedAddress = { text: '' };

/** Longer text is no address. */
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

/** A text was pasted outside any field. */
export function pasted(event: ClipboardEvent): void {
  const target = event.target instanceof Element ? event.target : null;
  if (dialogs.covered || target?.closest('input, textarea, [contenteditable=true]')) return;
  const address = linkOf(event.clipboardData?.getData('text/plain') ?? '');
  if (!address) return;
  event.preventDefault();
  dialogs.show({ kind: 'add', address, search: true });
}
