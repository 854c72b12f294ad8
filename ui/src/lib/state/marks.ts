/** Read and starred marks: shown at once, reverted with a message if the core refuses, undoable. */
import { asIpcError, call, type ArticleRow, type ListOrder, type Marked, type MarkScope, type Source } from '../ipc';
import { t } from '../messages';
import { errorText } from '../messages/errors';
import { reading } from './article.svelte';
import { library } from './library.svelte';
import { placeOf } from '../list/merge';
import { list, sameSource } from './list.svelte';
import { screenReader } from './screen-reader.svelte';
import { toasts } from './toasts.svelte';
import { undo, type UndoEntry } from './undo.svelte';
import { views } from './views.svelte';

/** Milliseconds. */
const DAY = 86_400_000;

type State = {
  readonly id: number;
  readonly feed_id: number;
  readonly read: boolean;
  readonly starred: boolean;
  readonly title: string;
};
type Change = { readonly read?: boolean; readonly starred?: boolean };
/** A part of the list: all, or above or below an article. */
type Side = 'all' | 'above' | 'below';

function apply(before: readonly State[], change: (state: State) => Change): void {
  const changes = new Map(before.map((state) => [state.id, change(state)]));
  list.patch(changes);
  for (const [id, part] of changes) reading.patch(id, part);
}

/** Adjusts the counts for a change of state; `back` reverts it. */
function shiftCounts(before: readonly State[], to: (state: State) => Change, back = false): void {
  const sign = back ? -1 : 1;
  library.adjustCounts(
    before.map((state) => {
      const next = to(state);
      const unread = next.read === undefined || next.read === state.read ? 0 : next.read ? -1 : 1;
      const starred = next.starred === undefined || next.starred === state.starred ? 0 : next.starred ? 1 : -1;
      return { feedId: state.feed_id, unread: sign * unread, starred: sign * starred };
    }),
  );
}

function reportError(error: unknown): void {
  const words = errorText(asIpcError(error));
  toasts.show(t('toast.mark_failed', { what: words.what }), { detail: words.advice, isError: true });
}

/** Returns the text for a change of marks, with the title if it is a single article. */
function markText(rows: readonly State[], { read, starred }: Change): string {
  const what = starred !== undefined ? (starred ? 'starred' : 'unstarred') : read ? 'read' : 'unread';
  const [first] = rows;
  if (first && rows.length === 1) return t(`mark.one.${what}`, { title: first.title || t('list.untitled') });
  return t(`mark.many.${what}`, { count: rows.length });
}

/** Marks rows, and says so to screen readers. */
export async function markAloud(rows: readonly State[], change: Change): Promise<void> {
  const did = await mark(rows, change);
  if (did) screenReader.say(did);
}

/** Marks rows, and returns what was done, if anything. The undo step is pushed below `above`, which belongs to the same action. */
export const mark = (rows: readonly State[], change: Change, above?: UndoEntry): Promise<string | null> =>
  undo.during(markRows(rows, change, above));

async function markRows(rows: readonly State[], change: Change, above?: UndoEntry): Promise<string | null> {
  const before = rows
    .map(({ id, feed_id, read, starred, title }) => ({ id, feed_id, read, starred, title }))
    .filter((row) => (change.read ?? row.read) !== row.read || (change.starred ?? row.starred) !== row.starred);
  if (before.length === 0) return null;
  // The other mark may be changed by the time that this one is undone.
  const back = ({ read, starred }: State): Change => ({
    ...(change.read !== undefined && { read }),
    ...(change.starred !== undefined && { starred }),
  });
  const marking = list.pendingMarks.during(() => {
    apply(before, () => change);
    return call('mark', {
      ids: before.map((row) => row.id),
      read: change.read ?? null,
      starred: change.starred ?? null,
      hidden: null,
      kept: null,
    });
  });
  shiftCounts(before, () => change);
  try {
    const marked = await marking;
    const did = markText(before, change);
    const entry: UndoEntry = {
      step: marked.undo,
      restore: () => apply(before, back),
      did,
      again: () => mark(before, change),
    };
    undo.push(entry, above);
    library.countSoon();
    return did;
  } catch (error) {
    apply(before, back);
    shiftCounts(before, () => change, true);
    reportError(error);
    return null;
  }
}

export const toggleRead = (row: State): Promise<void> => markAloud([row], { read: !row.read });
export const toggleStar = (row: State): Promise<void> => markAloud([row], { starred: !row.starred });

/** Loads the marks of the shown articles again, after the core has marked others than the window knows. */
function reloadMarks(): void {
  void list.catchUp(true);
  void reading.reloadMarks();
}

/** Pushes the undo step of articles that were marked as read, and offers it in a message with their number. */
function offerUndo(count: number, step: Omit<UndoEntry, 'did'>): void {
  const entry: UndoEntry = { ...step, did: t('mark.many.read', { count }) };
  undo.push(entry);
  toasts.show(t('mark.many.read', { count }), { action: undo.button(entry) });
}

/**
 * Marks the list as read, or the part above or below an article. Articles received since the list was loaded stay
 * unread.
 */
export const markAllRead = undo.action(async (side: Side = 'all', anchor: ArticleRow | null = null): Promise<void> => {
  const seen = list.side(side, anchor?.id ?? null).filter((row) => !row.read && !list.fresh.has(row.id));
  const scope: MarkScope = side === 'all' || !anchor ? { kind: 'all' } : { kind: side, cursor: placeOf(anchor) };
  const marking = list.markMany(() => {
    apply(seen, () => ({ read: true }));
    return call('mark_all_read', {
      source: list.source,
      order: list.view.order,
      scope,
      received_before: list.seenAt,
    });
  });
  const restore = () => {
    apply(seen, () => ({ read: false }));
    reloadMarks();
  };
  try {
    const marked = await marking;
    if (marked.count === 0) {
      toasts.show(t('toast.none_marked'));
      return;
    }
    library.countSoon();
    offerUndo(marked.count, { step: marked.undo, restore, again: () => markAllRead(side, anchor) });
  } catch (error) {
    restore();
    reportError(error);
  }
});

/** Offers to undo marking articles as read outside the window, such as in the tray. */
export function markedOutside(marked: Marked): void {
  if (marked.count === 0) return;
  reloadMarks();
  offerUndo(marked.count, { step: marked.undo, restore: reloadMarks });
}

/** Marks several feeds and folders as read in one undo step. */
export const markSourcesRead = undo.action(async (sources: readonly Source[]): Promise<void> => {
  const steps: number[] = [];
  let count = 0;
  const received_before = Date.now();
  try {
    for (const source of sources) {
      const marked = await call('mark_all_read', { source, order: 'newest', scope: { kind: 'all' }, received_before });
      if (marked.count > 0) steps.push(marked.undo);
      count += marked.count;
    }
  } catch (error) {
    reportError(error);
    if (count === 0) return;
  }
  if (count === 0) return void toasts.show(t('toast.none_marked'));
  library.countSoon();
  offerUndo(count, { step: steps, restore: reloadMarks, again: () => markSourcesRead(sources) });
  reloadMarks();
});

/** Marks a view, feed or folder as read, whether or not it is displayed. */
export async function markSourceRead(source: Source): Promise<void> {
  if (sameSource(source, list.source) && !list.searching) return markAllRead();
  await markPart(source, views.of(source).order, { kind: 'all' }, () => markSourceRead(source));
}

/** Marks the articles of a view, feed or folder that are older than some days as read. */
export async function markOlderRead(source: Source, days: number): Promise<void> {
  // In this order, older articles are below.
  const cursor = { sort_at: Date.now() - days * DAY, id: 0, feed_id: 0, length: 0 };
  await markPart(source, 'newest', { kind: 'below', cursor }, () => markOlderRead(source, days));
}

const markPart = undo.action(async (source: Source, order: ListOrder, scope: MarkScope, again: () => Promise<void>) => {
  try {
    const marked = await call('mark_all_read', { source, order, scope, received_before: Date.now() });
    if (marked.count === 0) {
      toasts.show(t('toast.none_marked'));
      return;
    }
    library.countSoon();
    offerUndo(marked.count, { step: marked.undo, restore: reloadMarks, again });
    reloadMarks();
  } catch (error) {
    reportError(error);
  }
});
