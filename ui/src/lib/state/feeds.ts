/** Actions on feeds and folders. Every destructive one can be undone. */
import { call, type Feed, type Folder } from '../ipc';
import { t } from '../messages';
import { listed } from '../messages/format';
import { dialogs, type FeedInfoPart } from './dialogs.svelte';
import { backfills } from './backfill.svelte';
import { library } from './library.svelte';
import { list, sameSource } from './list.svelte';
import { reading } from './article.svelte';
import { sidebar } from './sidebar.svelte';
import { toasts } from './toasts.svelte';
import { undo, type UndoEntry } from './undo.svelte';

/**
 * Shows a toast with an Undo button. `spoken`: the text for screen readers, if they get another; `undid`: what undoing it
 * did.
 */
export function undoable(
  text: string,
  step: number | readonly number[],
  restore: () => void = () => {},
  again?: () => Promise<unknown>,
  spoken?: string,
  undid?: string,
  detail?: string,
): void {
  offerUndo({ step, restore, did: text, undid, again }, spoken, detail);
}

/** Pushes a step, and shows a toast that says what it did and offers to undo it. */
export function offerUndo(entry: UndoEntry, spoken?: string, detail?: string): void {
  undo.push(entry);
  toasts.show(entry.did ?? '', { spoken, detail, action: undo.button(entry) });
}

/** Shows feed info. The bundled feed is never polled, so there is nothing to show. */
export function showFeedInfo(feed: Feed, part?: FeedInfoPart): void {
  if (feed.local) toasts.show(t('feed_info.bundled', { title: feed.title }));
  else dialogs.show({ kind: 'feed_info', feed, part });
}

/** Opens the inspector: the feed's fields, repairs and posting times. */
export function inspectFeed(feed: Feed): void {
  if (feed.local) toasts.show(t('feed_info.bundled', { title: feed.title }));
  else dialogs.show({ kind: 'inspect_feed', feed });
}

/** Opens the website of a feed in the browser. */
export async function openSite(address: string): Promise<void> {
  try {
    await call('open_link', { address, behind: false });
  } catch (error) {
    toasts.error(error);
  }
}

/** Opens the preferences of a feed or folder. */
export function showPreferences(kind: 'feed', feed: Feed): void;
export function showPreferences(kind: 'folder', folder: Folder): void;
export function showPreferences(kind: 'feed' | 'folder', of: Feed | Folder): void {
  const title = 'title' in of ? of.title : of.name;
  if ('local' in of && of.local) toasts.show(t('feed_info.bundled', { title }));
  else dialogs.show({ kind: 'preferences', scope: { kind, id: of.id }, title });
}

/** Names a feed; an empty name is the feed's own title. Rejects with an `IpcError`. */
export const renameFeed = undo.action(async (feed: Feed, wanted: string): Promise<void> => {
  const { undo: step } = await call('rename_feed', { feed_id: feed.id, title: wanted });
  await library.load();
  const title = library.feedById.get(feed.id)?.title ?? wanted;
  undoable(t('tree.renamed', { title }), step, undefined, () => renameFeed(feed, wanted));
});

/** Reloads the list after articles were removed from it or restored. */
export function redraw(): void {
  if (!list.searching) void list.reload();
}

/** Opens feed info and downloads older articles. */
export function fetchOlder(feed: Feed): void {
  showFeedInfo(feed, 'older');
  void backfills.start(feed);
}

const idsOf = (all: readonly { readonly id: number }[]): number[] => all.map(({ id }) => id);

/**
 * Prepares for leaving the displayed list if it belongs to these feeds or folders. Called before they are removed, because the core may
 * report the removal before it responds. The returned function leaves the list, and returns whether it belonged to them.
 */
function leaving(feeds: readonly number[], folders: readonly number[] = []): () => boolean {
  const { source } = list;
  const going = new Set([...feeds.map((id) => `feed-${id}`), ...folders.map((id) => `folder-${id}`)]);
  if (!('id' in source) || !going.has(`${source.kind}-${source.id}`)) return () => false;
  const next = sidebar.insteadOf(source)((key) => !going.has(key));
  return () => {
    if (sameSource(source, list.source)) list.replace(next);
    return true;
  };
}

/** Unsubscribes from feeds. Returns whether it succeeded; `back` is called on undo. */
export const unsubscribe = undo.single((feeds: readonly Feed[]) => idsOf(feeds).join(' '), unsubscribeNow);

async function unsubscribeNow(feeds: readonly Feed[], back: () => void = () => {}): Promise<boolean> {
  const ids = idsOf(feeds);
  try {
    const counts = await Promise.all(ids.map((feed_id) => call('count_notes_in_feed', { feed_id })));
    const noted = counts.reduce((sum, count) => sum + count, 0);
    const here = list.source;
    const leave = leaving(ids);
    const { undo: step, kept_by: account } = await call('unsubscribe', { feed_ids: ids });
    if (reading.article && ids.includes(reading.article.feed_id)) reading.close();
    const gone = leave();
    const { open } = dialogs;
    const about =
      open?.kind === 'preferences' && open.scope.kind === 'feed'
        ? open.scope.id
        : open && 'feed' in open
          ? open.feed.id
          : null;
    if (about !== null && ids.includes(about)) dialogs.close();
    const count = feeds.length;
    const [first] = feeds;
    const title = first && count === 1 ? first.title : t('tree.several.feeds', { count });
    const plain = count === 1 ? t('toast.unsubscribed', { title }) : t('tree.unsubscribed', { count });
    const message = noted > 0 ? t('toast.unsubscribed.noted', { title, count: noted }) : plain;
    // Said in addition to any of these messages.
    const detail = account === null ? undefined : t('toast.unsubscribed.server', { account });
    const restore = () => {
      if (gone) list.replace(here);
      else redraw();
      back();
    };
    const undid = count === 1 ? t('toast.resubscribed', { title }) : undefined;
    undoable(message, step, restore, () => unsubscribe(stillThere(feeds), back), undefined, undid, detail);
    // Last, after the step was pushed, so that later actions of the user are undone first.
    await sidebar.reload();
    return true;
  } catch (error) {
    toasts.error(error);
    return false;
  }
}

/** Returns those of unsubscribed feeds that undoing restored. */
function stillThere(feeds: readonly Feed[]): readonly Feed[] {
  const there = feeds.filter(({ id }) => library.feedById.has(id));
  // They may not be loaded yet.
  return there.length > 0 ? there : feeds;
}

/** Deletes a folder; its feeds move up one level, or are unsubscribed `withFeeds`. */
export function deleteFolder(folder: Folder, withFeeds: readonly Feed[] = []): Promise<void> {
  const [title, count] = [folder.name, withFeeds.length];
  const did = count > 0 ? t('toast.folder_deleted.feeds', { title, count }) : t('toast.folder_deleted', { title });
  return deleteFolders([folder], withFeeds, did, t('toast.folder_restored', { title }));
}

/** Deletes folders, and unsubscribes from these feeds. Other feeds in the folders move up one level. */
export const deleteFolders = undo.single((folders: readonly Folder[]) => idsOf(folders).join(' '), deleteFoldersNow);

/** Returns the words for deleting folders and feeds. */
export const foldersAndFeeds = (folders: number, feeds: number): string =>
  listed([
    t('tree.several.folders', { count: folders }),
    ...(feeds > 0 ? [t('tree.several.feeds', { count: feeds })] : []),
  ]);

async function deleteFoldersNow(
  folders: readonly Folder[],
  withFeeds: readonly Feed[],
  did = t('tree.deleted', { what: foldersAndFeeds(folders.length, withFeeds.length) }),
  undid?: string,
): Promise<void> {
  const count = withFeeds.length;
  const going = idsOf(withFeeds);
  const here = list.source;
  const leave = leaving(going, idsOf(folders));
  const steps: number[] = [];
  try {
    if (count > 0) steps.push((await call('unsubscribe', { feed_ids: going })).undo);
    for (const { id } of folders) steps.push((await call('delete_folder', { folder_id: id })).undo);
  } catch (error) {
    toasts.error(error);
    if (steps.length === 0) return;
  }
  if (reading.article && going.includes(reading.article.feed_id)) reading.close();
  const gone = leave();
  undoable(
    did,
    steps,
    () => {
      if (gone) list.replace(here);
      else if (count > 0) redraw();
    },
    () => deleteFolders(folders, count > 0 ? stillThere(withFeeds) : [], did, undid),
    undefined,
    undid,
  );
  // Last, as for `unsubscribe`.
  await sidebar.reload();
}

/** Copies versions, sizes and the end of the log, for a bug report. */
export async function copyDiagnostics(): Promise<void> {
  try {
    await copyText(await call('diagnostics'), t('menu.diagnostics.done'));
  } catch (error) {
    toasts.error(error);
  }
}

export async function copyText(text: string, done: string = t('toast.copied')): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.show(done);
  } catch {
    // Some web views refuse; then show the text so that the user can copy it.
    toasts.show(t('toast.copy_failed', { address: text }), { isError: true });
  }
}
