/** Changes of feeds that dialogs make. Loaded on demand. */
import { call, type Feed, type FeedScope, type FeedSuggestion, type RetentionPolicy, type SetConnection } from '../ipc';
import { t } from '../messages';
import { reading } from './article.svelte';
import { dialogs } from './dialogs.svelte';
import { redraw, undoable } from './feeds';
import { list } from './list.svelte';
import { toasts } from './toasts.svelte';
import { undo } from './undo.svelte';

/** Rejects with an `IpcError`: the address may be invalid or belong to another feed. */
export async function changeAddress(feed: Feed, url: string): Promise<void> {
  const { undo: step } = await call('change_feed_address', { feed_id: feed.id, url });
  const { host, origin, pathname, search } = new URL(url);
  // For another page on the same host, the host alone would not show the difference.
  const isSameHost = URL.canParse(feed.url) && new URL(feed.url).host === host;
  const address = isSameHost ? origin + pathname + search : host;
  const text = t('feed_info.address.changed', { title: feed.title, address });
  undoable(text, step, undefined, () => changeAddress(feed, url));
}

/** Rejects with an `IpcError`: there may be no keyring, or the settings may be invalid. */
export async function setConnection(feed: Feed, settings: SetConnection): Promise<void> {
  const { undo: step } = await call('set_connection', settings);
  undoable(t('connection.saved', { title: feed.title }), step);
}

/** Accepts a certificate; `null` removes the accepted one. Rejects with an `IpcError`. */
export async function acceptCertificate(feed: Feed, fingerprint: string | null): Promise<void> {
  const { undo: step } = await call('accept_certificate', { feed_id: feed.id, fingerprint });
  const text = t(fingerprint === null ? 'certificate.revoked' : 'certificate.done', { title: feed.title });
  undoable(text, step, undefined, () => acceptCertificate(feed, fingerprint));
}

/** Lets a feed use the private network that its host now leads to, and checks it. */
export async function allowPrivateNetwork(feed: Feed): Promise<void> {
  try {
    await call('allow_private_network', { feed_id: feed.id });
  } catch (error) {
    toasts.error(error);
  }
}

/**
 * Sets a retention policy and deletes what it expires, unless `stopped`. `changed` is called with whether
 * that was undone or redone. Rejects with an `IpcError`.
 */
export async function setRetention(
  scope: FeedScope,
  keep: RetentionPolicy | null,
  stopped: () => boolean,
  changed: (undone: boolean) => void = () => {},
): Promise<void> {
  const { count, undo: step } = await call('set_retention', { scope, policy: keep });
  const message = stopped() ? 'retention.stopped' : count > 0 ? 'retention.done' : 'retention.saved';
  if (count > 0) redraw();
  const restore = () => {
    if (count > 0) redraw();
    changed(true);
  };
  undoable(t(message, { count }), step, restore, () =>
    setRetention(scope, keep, () => false, changed).then(() => changed(false)),
  );
}

export async function restoreExpired(): Promise<void> {
  try {
    const count = await call('restore_expired');
    redraw();
    toasts.show(t('retention.restored', { count }));
  } catch (error) {
    toasts.error(error);
  }
}

export const mergeFeeds = undo.action(async (feed: Feed, into: Extract<FeedSuggestion, { kind: 'merge' }>) => {
  const { open } = dialogs;
  // The core may report that it is gone before it responds.
  const here = list.source;
  try {
    const { undo: step } = await call('merge_feeds', { feed_id: feed.id, into: into.feed_id });
    dialogs.close(open);
    const shown = here.kind === 'feed' && here.id === feed.id;
    if (shown) {
      reading.close();
      void list.show({ kind: 'feed', id: into.feed_id });
    }
    const restore = () => {
      if (shown) void list.show(here);
    };
    undoable(t('feed_info.merged', { title: feed.title, into: into.title }), step, restore, () =>
      mergeFeeds(feed, into),
    );
  } catch (error) {
    toasts.error(error);
  }
});

/** Dismisses the inactivity suggestion until the feed has posted and become inactive again. */
export const keepInactiveFeed = undo.action(async (feed: Feed): Promise<void> => {
  try {
    const { undo: step } = await call('keep_inactive_feed', { feed_id: feed.id });
    undoable(t('toast.kept', { title: feed.title }), step, undefined, () => keepInactiveFeed(feed));
  } catch (error) {
    toasts.error(error);
  }
});
