/** Moves feeds into accounts on servers, and back to this computer. Loaded with its dialog. */
import { untrack } from 'svelte';
import { call, type Feed } from '../ipc';
import { t } from '../messages';
import { listed } from '../messages/format';
import { accountOf } from './account-moves';
import { dialogs } from './dialogs.svelte';
import { undoable } from './feeds';
import { library } from './library.svelte';
import { toasts } from './toasts.svelte';

/** Maximum number of feeds that a message names. */
const MAX_NAMED = 5;

type Move = { readonly feed: Feed; readonly account: number; readonly at: number };

/** Feeds of this computer that were moved into accounts, whose servers are informed with the next synchronisation. */
let moves: readonly Move[] = [];

/** Reports a move that a server refused: its feed is back on this computer. */
async function reportRefused({ account, at, feed }: Move, others: readonly Move[]): Promise<void> {
  const name = library.folders.find((folder) => folder.account?.id === account)?.name;
  // The account was removed.
  if (name === undefined) return;
  const log = await call('sync_log', { account_id: account });
  const refused = new Set(
    log
      .filter((entry) => entry.at >= at)
      .flatMap(({ rejections }) => rejections.filter(({ kind }) => kind === 'refused' || kind === 'unsupported'))
      .map(({ title }) => title),
  );
  // The log names a feed that is subscribed to by its address. Otherwise the user has moved it back.
  const titles = [feed, ...others.map((other) => other.feed)]
    .filter(({ url }) => refused.has(url))
    .map(({ title }) => title);
  if (titles.length === 0) return;
  toasts.show(t('move_account.refused', { account: name, titles: listed(titles.slice(0, MAX_NAMED)) }), {
    isError: true,
    action: { label: t('accounts.settings'), run: () => dialogs.show({ kind: 'settings', part: 'accounts' }) },
  });
}

function check(feeds: ReadonlyMap<number, Feed>): void {
  const isBack = ({ feed, account }: Move) => feeds.get(feed.id)?.account_id !== account;
  const back = moves.filter(isBack);
  if (back.length === 0) return;
  moves = moves.filter((move) => !back.includes(move));
  for (const account of new Set(back.map((move) => move.account))) {
    const [first, ...others] = back.filter((move) => move.account === account);
    if (first) reportRefused(first, others).catch((error: unknown) => toasts.error(error));
  }
}

let watching = false;

function watch(): void {
  if (watching) return;
  watching = true;
  $effect.root(() => {
    $effect(() => {
      const { feedById } = library;
      untrack(() => check(feedById));
    });
  });
}

/** Returns whether no folder can hold all of these feeds: one belongs to a single account or to this computer. */
export function areInSeveralAccounts(feeds: readonly number[]): boolean {
  const [first, ...others] = feeds.map(accountOf);
  return others.some((account) => account !== first);
}

/** Rejects with an `IpcError`: the API of the account may not be able to subscribe. */
export async function moveToAccount(feeds: readonly number[], account: number | null): Promise<void> {
  const leaving = feeds.filter((feed) => accountOf(feed) !== account);
  const count = leaving.length;
  const local = leaving.flatMap((id) => library.feedById.get(id) ?? []).filter(({ id }) => accountOf(id) === null);
  const at = Date.now();
  const { undo } = await call('move_to_account', { feeds: [...feeds], account_id: account });
  await library.load();
  moves = moves.filter(({ feed }) => !feeds.includes(feed.id));
  if (account !== null) {
    moves = [...moves, ...local.map((feed) => ({ feed, account, at }))];
    watch();
  }
  const folder = library.folders.find((folder) => folder.account?.id === account);
  const text = folder
    ? t('move_account.done', { count, account: folder.name })
    : t('move_account.done.local', { count });
  undoable(text, undo, undefined, () => moveToAccount(feeds, account));
}
