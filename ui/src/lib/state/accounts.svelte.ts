/** The accounts on feed reader servers. */
import {
  asIpcError,
  call,
  type AddServerAccount,
  type Certificate,
  type IpcError,
  type ServerAccount,
  type SetServerLogin,
  type SyncProgress,
} from '../ipc';
import { inLine, sentences, t } from '../messages';
import { accountOfFolder } from './account-moves';
import { reading } from './article.svelte';
import { dialogs } from './dialogs.svelte';
import { offerUndo, undoable } from './feeds';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { sidebar } from './sidebar.svelte';
import { toasts } from './toasts.svelte';
import { undo, type UndoEntry } from './undo.svelte';

/** The outcome of adding an account. */
export type Added = 'added' | 'no_keyring' | { readonly certificate: Certificate } | { readonly error: IpcError };

class AccountsState {
  /** `null` until they are loaded. */
  list = $state.raw<readonly ServerAccount[] | null>(null);
  /** Whether the settings open with the form of a new account. */
  adding = false;
  /** The account that the settings open with the question whether to remove it. */
  removing: number | null = null;
  /** The account that is synchronised by hand. */
  syncing = $state<number | null>(null);
  /** How far the running synchronisation is, started by hand or not. */
  progress = $state.raw<SyncProgress | null>(null);
  /** Result of the last manual synchronisation. */
  result = $state.raw<{ readonly account: number; readonly text: string } | null>(null);

  /** Number of requests for the accounts so far. */
  private loads = 0;

  async load(): Promise<void> {
    const load = ++this.loads;
    try {
      const list = await call('server_accounts');
      // The latest request has the newest accounts.
      if (load === this.loads) this.list = list;
    } catch (error) {
      this.list ??= [];
      toasts.error(error);
    }
  }

  /** Number of reports of progress so far. */
  private reports = 0;

  onProgress(progress: SyncProgress | null): void {
    this.reports++;
    this.progress = progress;
  }

  async loadProgress(): Promise<void> {
    const { reports } = this;
    try {
      const progress = await call('sync_progress');
      // A later report is newer.
      if (reports === this.reports) this.progress = progress;
    } catch (error) {
      toasts.error(error);
    }
  }

  /** Clears what is about the accounts of a replaced library. */
  forget(): void {
    this.loads++;
    this.list = this.progress = this.result = null;
    this.removals.clear();
  }

  isSyncing(account: number): boolean {
    return this.syncing === account || this.progress?.account_id === account;
  }

  async setOptions(
    account: ServerAccount,
    change: Partial<Pick<ServerAccount, 'sync_minutes' | 'history'>>,
  ): Promise<void> {
    const { id: account_id, sync_minutes, history } = { ...account, ...change };
    try {
      await call('set_server_options', { account_id, sync_minutes, history });
    } catch (error) {
      toasts.error(error);
    }
    await this.load();
  }

  /** Rejects with an `IpcError`: the name may be taken. */
  readonly rename = undo.action(async (account: ServerAccount, name: string): Promise<void> => {
    const { undo: step } = await call('rename_server_account', { account_id: account.id, name });
    await Promise.all([library.load(), this.load()]);
    undoable(t('tree.renamed', { title: name }), step, undefined, () => this.rename(account, name));
  });

  async add(account: AddServerAccount): Promise<Added> {
    try {
      const added = await call('add_server_account', account);
      if (added.kind === 'certificate') return { certificate: added.certificate };
      await this.load();
      void this.sync(added.account.id, null);
      return 'added';
    } catch (cause) {
      return failed(cause, account.password_in_library);
    }
  }

  async setLogin(login: SetServerLogin): Promise<Added> {
    try {
      const certificate = await call('set_server_login', login);
      if (certificate) return { certificate };
      await this.load();
      void this.sync(login.account_id, null);
      return 'added';
    } catch (cause) {
      return failed(cause, login.password_in_library);
    }
  }

  /**
   * Reports how many articles are new and what the server refused, either with the account in the settings or in a toast. `null`: only what
   * it refused, since the articles of a new account may already have been downloaded in the background.
   */
  async sync(account: number, tells: 'settings' | 'toast' | null): Promise<void> {
    if (this.syncing !== null) return;
    this.syncing = account;
    this.result = null;
    try {
      const { refused, new_articles: count } = await call('sync_server_account', { account_id: account });
      const problems = refused.map((title) => t('accounts.refused', { title }));
      const articles = count > 0 ? t('accounts.synced.articles', { count }) : t('refresh.none');
      if (tells === 'toast') toasts.show(articles, { detail: sentences(problems) || undefined });
      else {
        const text = inLine([tells ? articles : '', ...problems]);
        this.result = text === '' ? null : { account, text };
      }
    } catch (cause) {
      // An error of the account is shown with it in the settings; being offline is none, and cancelling was wanted.
      const error = asIpcError(cause);
      const settings = () => dialogs.show({ kind: 'settings', part: 'accounts' });
      if (error.code === 'offline') toasts.error(error);
      else if (tells === 'toast' && error.code !== 'cancelled')
        toasts.error(error, { label: t('accounts.settings'), run: settings });
    } finally {
      this.syncing = null;
      await this.load();
    }
  }

  cancel(): void {
    call('cancel_server_sync').catch((error: unknown) => toasts.error(error));
  }

  /** The steps that removed accounts, which restoring one in the settings drops. */
  private removals = new Map<number, UndoEntry>();

  /** Removes an account, which can be undone. If the list or the open article belongs to one of its feeds, it is closed. */
  readonly remove = undo.single(
    (account: ServerAccount) => account.id,
    (account, keep: boolean) => this.removeNow(account, keep),
  );

  private async removeNow(account: ServerAccount, keep: boolean): Promise<void> {
    const { id: account_id, name } = account;
    const feeds = new Set(library.feeds.filter((feed) => feed.account_id === account_id).map(({ id }) => id));
    const here = list.source;
    const gone =
      !keep &&
      ((here.kind === 'feed' && feeds.has(here.id)) ||
        (here.kind === 'folder' && accountOfFolder(here.id) === account_id));
    try {
      await call('remove_server_account', { account_id, keep });
      if (!keep && reading.article && feeds.has(reading.article.feed_id)) reading.close();
      const entry: UndoEntry = {
        // Not a step of the core.
        step: 0,
        did: t('accounts.removed', { name }),
        restore: () => {
          if (gone) void list.show(here);
        },
        undoStep: async () => {
          await call('restore_server_account', { account_id });
          await Promise.all([library.load(), this.load()]);
        },
        again: () => this.remove(account, keep),
      };
      this.removals.set(account_id, entry);
      offerUndo(entry);
      await sidebar.reload();
    } catch (error) {
      toasts.error(error);
    }
    await this.load();
  }

  async restore(account: ServerAccount): Promise<void> {
    try {
      await call('restore_server_account', { account_id: account.id });
      const entry = this.removals.get(account.id);
      if (entry) undo.drop(entry);
    } catch (error) {
      toasts.error(error);
    }
    await this.load();
  }
}

function failed(cause: unknown, inLibrary: boolean): Added {
  const error = asIpcError(cause);
  return error.code === 'no_keyring' && !inLibrary ? 'no_keyring' : { error };
}

export const accounts = new AccountsState();
