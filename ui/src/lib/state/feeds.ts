/** What is done to feeds and folders; every destructive act can be undone. */
import { call, type Feed, type Folder, type Keep, type FeedScope, type Remedy, type SetAccess } from '../ipc';
import { t } from '../messages';
import { dialogs, type AboutPart } from './dialogs.svelte';
import { backfills } from './backfill.svelte';
import { siteOf } from '../messages/remedies';
import { list } from './list.svelte';
import { reading } from './article.svelte';
import { toasts } from './toasts.svelte';
import { undo, type UndoEntry } from './undo.svelte';

/** Tells of a step, and offers to take it back. */
export function undoable(text: string, step: number | readonly number[], restore: () => void = () => {}): void {
  const entry: UndoEntry = { step, restore };
  undo.push(entry);
  toasts.show(text, { action: { label: t('toast.undo'), run: () => void undo.take(entry) } });
}

/** The bundled feed is never asked: there is nothing to tell about it. */
export function aboutFeed(feed: Feed, part?: AboutPart): void {
  if (feed.local) toasts.show(t('about.bundled', { title: feed.title }));
  else dialogs.show({ kind: 'about_feed', feed, part });
}

/** What it says, what had to be repaired, when it posts. */
export function inspectFeed(feed: Feed): void {
  if (feed.local) toasts.show(t('about.bundled', { title: feed.title }));
  else dialogs.show({ kind: 'inspect_feed', feed });
}

/** What is wished of a feed, or of the feeds in a folder. */
export function showPreferences(kind: 'feed', feed: Feed): void;
export function showPreferences(kind: 'folder', folder: Folder): void;
export function showPreferences(kind: 'feed' | 'folder', of: Feed | Folder): void {
  const title = 'title' in of ? of.title : of.name;
  if ('local' in of && of.local) toasts.show(t('about.bundled', { title }));
  else dialogs.show({ kind: 'preferences', scope: { kind, id: of.id }, title });
}

/** Rejects with an `IpcError`: the address may be wrong, or another feed's. */
export async function changeAddress(feed: Feed, url: string): Promise<void> {
  const { undo: step } = await call('change_feed_address', { feed_id: feed.id, url });
  undoable(t('about.address.changed', { title: feed.title, host: new URL(url).host }), step);
}

/** Rejects with an `IpcError`: there may be no keyring, or what is wished makes no sense. */
export async function setAccess(feed: Feed, wish: SetAccess): Promise<void> {
  const { undo: step } = await call('set_access', wish);
  undoable(t('reach.saved', { title: feed.title }), step);
}

/** Accepts this very certificate, or none any more. Rejects with an `IpcError`. */
export async function acceptCertificate(feed: Feed, fingerprint: string | null): Promise<void> {
  const { undo: step } = await call('accept_certificate', { feed_id: feed.id, fingerprint });
  undoable(t(fingerprint === null ? 'certificate.taken_back' : 'certificate.done', { title: feed.title }), step);
}

/** Articles have gone out of the list that is shown, or have come back into it. */
function redraw(): void {
  if (!list.searching) void list.show(list.source);
}

/** Says how much is kept, and lets go of the rest, unless that was `stopped`. Rejects with an `IpcError`. */
export async function setKeep(
  scope: FeedScope,
  keep: Keep | null,
  stopped: () => boolean,
  back: () => void = () => {},
): Promise<void> {
  const { count, undo: step } = await call('set_keep', { scope, keep });
  const told = stopped() ? 'keep.stopped' : count > 0 ? 'keep.done' : 'keep.done.nothing';
  if (count > 0) redraw();
  undoable(t(told, { count }), step, () => {
    if (count > 0) redraw();
    back();
  });
}

export async function bringBack(): Promise<void> {
  try {
    const count = await call('bring_back');
    redraw();
    toasts.show(t('keep.brought_back', { count }));
  } catch (error) {
    toasts.error(error);
  }
}

/** Fetches its history, where that can be watched. */
export function fetchOlder(feed: Feed): void {
  aboutFeed(feed, 'older');
  void backfills.start(feed);
}

export async function mergeFeeds(feed: Feed, into: Extract<Remedy, { kind: 'merge' }>): Promise<void> {
  try {
    const { undo: step } = await call('merge_feeds', { feed_id: feed.id, into: into.feed_id });
    dialogs.close();
    const here = list.source;
    const shown = here.kind === 'feed' && here.id === feed.id;
    if (shown) {
      reading.close();
      void list.show({ kind: 'feed', id: into.feed_id });
    }
    undoable(t('about.merged', { title: feed.title, into: into.title }), step, () => {
      if (shown) void list.show(here);
    });
  } catch (error) {
    toasts.error(error);
  }
}

/** What is found comes as a remedy of its own. */
export async function lookForFeed(feed: Feed): Promise<void> {
  toasts.show(t('remedy.looking', { host: new URL(siteOf(feed)).host }));
  try {
    await call('look_for_feed', { feed_id: feed.id });
  } catch (error) {
    toasts.error(error);
  }
}

/** Its silence is not mentioned again until it has posted and fallen silent anew. */
export async function keepSilent(feed: Feed): Promise<void> {
  try {
    const { undo: step } = await call('keep_silent_feed', { feed_id: feed.id });
    undoable(t('toast.kept', { title: feed.title }), step);
  } catch (error) {
    toasts.error(error);
  }
}

/** Leaves feeds; says what goes with them, and whether it was done. `back` is called where that is taken back. */
export async function unsubscribe(feeds: readonly Feed[], back: () => void = () => {}): Promise<boolean> {
  const ids = feeds.map((feed) => feed.id);
  try {
    const counts = await Promise.all(ids.map((feed_id) => call('noted_in_feed', { feed_id })));
    const noted = counts.reduce((sum, count) => sum + count, 0);
    const { undo: step } = await call('unsubscribe', { feed_ids: ids });
    if (reading.article && ids.includes(reading.article.feed_id)) reading.close();
    const here = list.source;
    if (here.kind === 'feed' && ids.includes(here.id)) void list.show({ kind: 'unread' });
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
    const told = noted > 0 ? t('toast.unsubscribed.noted', { title, count: noted }) : plain;
    undoable(told, step, () => {
      void list.show(here);
      back();
    });
    return true;
  } catch (error) {
    toasts.error(error);
    return false;
  }
}

export async function deleteFolder(folder: Folder): Promise<void> {
  try {
    const { undo: step } = await call('delete_folder', { folder_id: folder.id });
    if (list.source.kind === 'folder' && list.source.id === folder.id) void list.show({ kind: 'unread' });
    undoable(t('toast.folder_deleted', { title: folder.name }), step);
  } catch (error) {
    toasts.error(error);
  }
}

export async function copyText(text: string, done: string = t('toast.copied')): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.show(done);
  } catch {
    // Some web views refuse; then the text is shown so that it can be copied by hand.
    toasts.show(t('toast.copy_failed', { address: text }), { trouble: true });
  }
}
