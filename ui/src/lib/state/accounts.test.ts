import { beforeEach, expect, it, vi } from 'vitest';
import type { ServerAccount, ServerSynced, ShareService } from '../ipc';

const host = vi.hoisted(() => ({ sync: (): Promise<unknown> => Promise.resolve(), called: [] as string[] }));
const OVERVIEW = {
  folders: [],
  feeds: [],
  counts: { smart: { today: 0, unread: 0, starred: 0, all: 0 }, unread: [] },
  first_run: false,
};
vi.mock('../ipc', async (original) => ({
  ...(await original()),
  call: (command: string) => {
    host.called.push(command);
    if (command === 'sync_server_account') return host.sync();
    if (command === 'rename_server_account') return Promise.resolve({ undo: 9 });
    if (command === 'discard_shares') return Promise.resolve({ undo: 7 });
    return Promise.resolve(command === 'overview' ? OVERVIEW : []);
  },
}));

const { accounts } = await import('./accounts.svelte');
const { sharing } = await import('./sharing.svelte');
const { toasts } = await import('./toasts.svelte');
const { undo } = await import('./undo.svelte');

const synced = (change: Partial<ServerSynced>) => () =>
  Promise.resolve({ new_articles: 0, changed_articles: 0, sent: 0, refused: [], ...change });
const failed = (code: string) => () =>
  Promise.reject(Object.assign(new Error(), { code, params: { host: 'rss.example' } }));
const shown = () => toasts.shown.map(({ text, detail }) => (detail ? [text, detail] : [text]));

beforeEach(() => toasts.shown.forEach(({ id }) => toasts.dismiss(id)));

it('reports the result in a toast if the settings are not shown', async () => {
  host.sync = synced({ new_articles: 3, refused: ['Plums'] });
  await accounts.sync(1, 'toast');
  expect(shown()).toEqual([['3 new articles', 'The server refused the change of “Plums”.']]);
  expect(accounts.result).toBeNull();
  host.sync = synced({});
  await accounts.sync(1, 'toast');
  expect(shown()).toEqual([['No new articles']]);
});

it('tells why it failed, but not that it was cancelled', async () => {
  host.sync = failed('connection_refused');
  await accounts.sync(1, 'toast');
  expect(toasts.shown.map(({ isError, action }) => [isError, action?.label])).toEqual([[true, 'Account settings…']]);
  toasts.shown.forEach(({ id }) => toasts.dismiss(id));
  host.sync = failed('cancelled');
  await accounts.sync(1, 'toast');
  expect(shown()).toEqual([]);
});

it('leaves result and error to the settings if they are shown', async () => {
  host.sync = synced({ new_articles: 3, refused: ['Plums'] });
  await accounts.sync(1, 'settings');
  expect(accounts.result?.text).toBe('3 new articles · The server refused the change of “Plums”.');
  await accounts.sync(1, null);
  expect(accounts.result?.text).toBe('The server refused the change of “Plums”.');
  host.sync = failed('connection_refused');
  await accounts.sync(1, 'settings');
  expect([accounts.result, shown()]).toEqual([null, []]);
});

it('removes an account as the last step that can be undone', async () => {
  undo.push({ step: 1, restore: () => {}, did: 'an older one' });
  await accounts.remove({ id: 2, name: 'Mine' } as ServerAccount, false);
  expect(toasts.shown).toMatchObject([{ text: 'Mine was removed', action: { label: 'Undo' } }]);
  host.called = [];
  await undo.take();
  expect(host.called).toContain('restore_server_account');
  expect(host.called).not.toContain('undo');
  await accounts.remove({ id: 2, name: 'Mine' } as ServerAccount, false);
  await accounts.restore({ id: 2, name: 'Mine' } as ServerAccount);
  host.called = [];
  await undo.take();
  expect(host.called).toContain('undo');
});

it('renames an account, which can be undone', async () => {
  await accounts.rename({ id: 2, name: 'rss.example' } as ServerAccount, 'Work');
  expect(toasts.shown).toMatchObject([{ text: 'Renamed to Work', action: { label: 'Undo' } }]);
  host.called = [];
  await undo.take();
  expect(host.called).toContain('undo');
});

it('can queue discarded articles again', async () => {
  await sharing.discard({ id: 3, waiting: 1, refused: 2 } as ShareService);
  expect(toasts.shown).toMatchObject([{ text: '3 articles discarded', action: { label: 'Undo' } }]);
  host.called = [];
  await undo.take();
  expect(host.called).toEqual(['restore_shares']);
});

it('is removed once, however often the button is pressed', async () => {
  const account = { id: 1, name: 'Mill' } as ServerAccount;
  host.called = [];
  await Promise.all([accounts.remove(account, true), accounts.remove(account, false)]);
  expect(host.called.filter((command) => command === 'remove_server_account')).toHaveLength(1);
});
