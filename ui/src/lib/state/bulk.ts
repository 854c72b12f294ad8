/** Bulk actions on the selected rows: one call and one undo step each. */
import { call, type DocumentFormat } from '../ipc';
import { NONE, ranged, toggled } from '../list/selection';
import { t } from '../messages';
import { reading } from './article.svelte';
import { dialogs } from './dialogs.svelte';
import { exporting } from './export.svelte';
import { copyText, undoable } from './feeds';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { markAloud } from './marks';
import { toasts } from './toasts.svelte';
import { undo } from './undo.svelte';

/** Index of the keyboard position in the list. */
const here = (): number => Math.max(0, list.indexOf(list.cursor ?? list.selected));

/** Selects or deselects the row at the keyboard position. */
export function pickRow(): void {
  const row = list.rows[here()];
  if (!row) return;
  list.picks = toggled(list.picks, row.id);
  list.cursor = row.id;
}

/** Selects all loaded rows; if all are selected, deselects them. */
export function pickAll(): void {
  const all = list.picks.ids.size === list.rows.length;
  list.picks = all ? NONE : { ids: new Set(list.rows.map((row) => row.id)), anchor: list.picks.anchor };
}

/** Extends the selection to a row. */
export function pickTo(index: number): void {
  const row = list.rows[index];
  if (!row) return;
  list.picks = ranged(list.rows, list.picks, here(), index);
  list.cursor = row.id;
}

export function pickNext(step: 1 | -1): void {
  pickTo(Math.max(0, Math.min(list.rows.length - 1, here() + step)));
}

/** Moves the keyboard position without opening or selecting a row. */
export function moveCursor(step: 1 | -1): void {
  const row = list.rows[here() + step];
  if (row) list.cursor = row.id;
}

/** Adds a row to the selection, together with the open one. */
export function pickAlso(id: number): void {
  const open = list.selected;
  const begun = list.picks.ids.size === 0 && open !== null && list.indexOf(open) >= 0 && open !== id;
  list.picks = toggled(begun ? toggled(NONE, open) : list.picks, id);
  list.cursor = id;
}

/** Marks the selected rows as read; if all are read, as unread. */
export async function readPicked(): Promise<void> {
  const rows = list.picked();
  await markAloud(rows, { read: rows.some((row) => !row.read) });
}

export async function starPicked(): Promise<void> {
  const rows = list.picked();
  await markAloud(rows, { starred: rows.some((row) => !row.starred) });
}

export function tagPicked(): void {
  const ids = list.picked().map((row) => row.id);
  if (ids.length > 0) dialogs.show({ kind: 'tags', ids, title: '' });
}

/** Hides the selected rows, or unhides them in the list of hidden articles. */
export async function hidePicked(): Promise<void> {
  await hideMany(
    list.picked().map((row) => row.id),
    list.source.kind !== 'hidden' || list.searching,
  );
}

const hideMany = undo.action(async (ids: readonly number[], hidden: boolean): Promise<void> => {
  try {
    const marked = await call('mark', { ids: [...ids], read: null, starred: null, hidden, kept: null });
    const putBack = list.withoutMany(ids);
    const open = reading.id !== null && ids.includes(reading.id);
    if (open) reading.close();
    library.countSoon();
    const text = t(hidden ? 'selection.hide.done' : 'selection.unhide.done', { count: ids.length });
    undoable(text, marked.undo, putBack, () => hideMany(ids, hidden));
  } catch (error) {
    toasts.error(error);
  }
});

export async function copyPicked(): Promise<void> {
  try {
    const links = await call('article_addresses', { ids: list.picked().map((row) => row.id) });
    if (links.length === 0) toasts.show(t('selection.no_links'));
    else await copyText(links.join('\n'), t('selection.copied', { count: links.length }));
  } catch (error) {
    toasts.error(error);
  }
}

/** Opens the web pages of the selected rows in the browser. `behind` keeps the focus here if the system allows it. */
export const openPicked = async (behind = false): Promise<void> =>
  (await import('./open-pages')).openPages(list.picked(), behind);

export function savePicked(form: DocumentFormat): void {
  const ids = list.picked().map((row) => row.id);
  void exporting.save({ ids }, t('selection.bar'), form);
}
