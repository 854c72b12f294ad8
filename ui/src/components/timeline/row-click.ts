/** Handles clicks on a row of the list. */
import type { ArticleRow } from '../../lib/ipc';
import { pickAlso, pickTo } from '../../lib/state/bulk';
import { toggleRead } from '../../lib/state/marks';
import { openRow, openRowInBrowser } from '../../lib/state/navigation';

/** On Linux the middle button also pastes the current selection of any program: a link would open "Add feed". */
export function pressList(event: Pick<PointerEvent, 'button' | 'preventDefault'>): void {
  if (event.button === 1) event.preventDefault();
}

export function clickRow(event: MouseEvent, row: ArticleRow, index: number): void {
  if (event.button === 1) void openRowInBrowser(row, true);
  else if (event.button !== 0) return;
  else if (event.shiftKey) pickTo(index);
  else if (event.ctrlKey || event.metaKey) pickAlso(row.id);
  else if ((event.target as HTMLElement).closest('.state')) void toggleRead(row);
  else void openRow(row);
}
