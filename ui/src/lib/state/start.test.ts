// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { start } from './start';

const core = vi.hoisted(() => ({
  called: [] as string[],
  ready: () => {},
  articles: (): Promise<unknown> => Promise.resolve({ rows: [], more: false }),
}));

vi.mock('./collections.svelte', () => ({ collections: { load: () => Promise.resolve() } }));
vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  listening: () => new Promise<void>((done) => (core.ready = done)),
  call: (name: string) => {
    core.called.push(name);
    if (name === 'articles') return core.articles();
    const counts = { smart: { today: 0, unread: 3, starred: 0, all: 3 }, unread: [] };
    const answers: Record<string, unknown> = {
      overview: { folders: [], feeds: [], counts, first_run: false },
      views: [],
      settings: {},
    };
    return Promise.resolve(answers[name] ?? null);
  },
}));

it('shows a list once even if the library changes while it loads, and reports when it is listening', async () => {
  const started = start();
  expect(core.called).toEqual(['settings', 'views', 'window_state', 'overview']);
  // Simulates a change event during startup.
  void library.load();
  await started;
  expect(core.called.filter((name) => name === 'articles')).toHaveLength(1);
  expect(list.source).toEqual({ kind: 'unread' });
  await vi.waitFor(() => expect(library.status).toBe('ready'));
  expect(core.called).not.toContain('ready');
  core.ready();
  await vi.waitFor(() => expect(core.called).toContain('ready'));
});

it('shows the window with its first list, but does not wait long for it', async () => {
  vi.useFakeTimers();
  let answer: (page: unknown) => void = () => {};
  core.articles = () => new Promise((resolve) => (answer = resolve));
  const startAgain = async (milliseconds: number) => {
    library.forget();
    list.generation = 0;
    void start();
    await vi.advanceTimersByTimeAsync(milliseconds);
  };
  await startAgain(10);
  expect(library.status).toBe('loading');
  answer({ rows: [], more: false });
  await vi.advanceTimersByTimeAsync(0);
  expect([library.status, list.status]).toEqual(['ready', 'ready']);
  await startAgain(50);
  expect([library.status, list.status]).toEqual(['ready', 'loading']);
  vi.useRealTimers();
});
