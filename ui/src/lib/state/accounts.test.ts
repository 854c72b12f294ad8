import { beforeEach, expect, it, vi } from 'vitest';
import type { ServerSynced } from '../ipc';

const host = vi.hoisted(() => ({ sync: (): Promise<unknown> => Promise.resolve() }));
vi.mock('../ipc', async (original) => ({
  ...(await original()),
  call: (command: string) => (command === 'sync_server_account' ? host.sync() : Promise.resolve([])),
}));

const { accounts } = await import('./accounts.svelte');
const { toasts } = await import('./toasts.svelte');

const synced = (change: Partial<ServerSynced>) => () =>
  Promise.resolve({ new_articles: 0, changed_articles: 0, sent: 0, refused: [], ...change });
const failed = (code: string) => () =>
  Promise.reject(Object.assign(new Error(), { code, params: { host: 'rss.example' } }));
const shown = () => toasts.shown.map(({ text, detail }) => (detail ? [text, detail] : [text]));

beforeEach(() => toasts.shown.forEach(({ id }) => toasts.dismiss(id)));

it('tells the result in a toast where the settings are not shown', async () => {
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
