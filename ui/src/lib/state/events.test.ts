import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import en from '../messages/en.json';
import { setCatalogue } from '../messages/catalogue.svelte';
import { dialogs } from './dialogs.svelte';
import { listenToCore } from './events';
import { list } from './list.svelte';
import { pageMenu } from './page-menu.svelte';
import { refresh } from './refresh.svelte';
import { search } from './search.svelte';
import { sharing } from './sharing.svelte';
import { toasts } from './toasts.svelte';

const handlers = vi.hoisted(() => new Map<string, (payload: unknown) => void>());

// The events come from the shell, which these tests do not have.
vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  on: (name: string, handler: (payload: unknown) => void) => {
    handlers.set(name, handler);
    return () => handlers.delete(name);
  },
}));

let stop: () => void;

beforeEach(() => {
  setCatalogue(en, 'en');
  stop = listenToCore();
});

afterEach(() => {
  stop();
  dialogs.close();
  toasts.shown = [];
});

it('a missing browser is not reported as a link that leads nowhere', () => {
  handlers.get('browser_failed')?.('https://example.com/');
  expect(toasts.shown).toMatchObject([
    { text: 'Couldn’t open the link: no web browser could be started', detail: 'https://example.com/', isError: true },
  ]);
});

it('the menu of a page opens where it was requested, in pixels of the page', () => {
  vi.stubGlobal('innerWidth', 1024);
  vi.stubGlobal('innerHeight', 656);
  const request = vi.spyOn(pageMenu, 'request').mockReturnValue();
  handlers.get('page_menu_requested')?.({ x: 0.5, y: 0.25 });
  expect(request).toHaveBeenCalledWith({ x: 512, y: 164 });
  vi.unstubAllGlobals();
  request.mockRestore();
});

it('a notification of several articles shows their list', () => {
  const show = vi.spyOn(list, 'show').mockResolvedValue();
  dialogs.show({ kind: 'attention' });
  handlers.get('list_requested')?.({ source: { kind: 'feed', id: 3 }, search: null });
  expect(dialogs.open).toBeNull();
  expect(show).toHaveBeenCalledWith({ kind: 'feed', id: 3 });
  const find = vi.spyOn(search, 'show').mockReturnValue();
  handlers.get('list_requested')?.({ source: { kind: 'unread' }, search: 'words:>3000' });
  expect(find).toHaveBeenCalledWith('words:>3000', false);
  show.mockRestore();
  find.mockRestore();
});

it('a refresh that failed has no result', () => {
  const end = { running: false, done: 0, total: 0, new_articles: 0, failed: 0, cancelled: false, waiting_for: [] };
  handlers.get('refresh_progress')?.(end);
  expect(refresh.progress).toEqual(end);
  handlers.get('refresh_failed')?.({ code: 'disk_full', message: 'the disk is full', parameters: {} });
  expect(refresh.progress).toBeNull();
  expect(toasts.shown).toMatchObject([{ isError: true }]);
});

it('a refresh that waits names the last feeds, once that takes long', () => {
  vi.useFakeTimers();
  const progress = (waiting_for: number[], running = true) => {
    handlers.get('refresh_progress')?.({ running, done: 8, total: 10, waiting_for });
    return refresh.waitingFor;
  };
  expect(progress([4, 7])).toEqual([]);
  vi.advanceTimersByTime(1500);
  expect(progress([7])).toEqual([]);
  vi.advanceTimersByTime(1500);
  expect(refresh.waitingFor).toEqual([]);
  vi.advanceTimersByTime(1500);
  expect(refresh.waitingFor).toEqual([7]);
  expect(progress([], false)).toEqual([]);
  vi.advanceTimersByTime(5000);
  expect(refresh.waitingFor).toEqual([]);
  vi.useRealTimers();
});

it('shows the services that another program added', async () => {
  vi.useFakeTimers();
  const load = vi.spyOn(sharing, 'load').mockResolvedValue();
  handlers.get('library_changed')?.({ structure: true, articles: true });
  await vi.advanceTimersByTimeAsync(1000);
  expect(load).toHaveBeenCalledOnce();
  load.mockRestore();
  vi.useRealTimers();
});

it('a dropped address is searched for feeds', () => {
  handlers.get('address_received')?.('https://example.com/feed');
  expect(dialogs.open).toEqual({ kind: 'add', address: 'https://example.com/feed', search: true });
});
