// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { start } from './start';

const core = vi.hoisted(() => ({ called: [] as string[], heard: () => {} }));

vi.mock('./collections.svelte', () => ({ collections: { load: () => Promise.resolve() } }));
vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  listening: () => new Promise<void>((done) => (core.heard = done)),
  call: (name: string) => {
    core.called.push(name);
    const counts = { smart: { today: 0, unread: 3, starred: 0, all: 3 }, unread: [] };
    const answers: Record<string, unknown> = {
      overview: { folders: [], feeds: [], counts, first_run: false },
      articles: { rows: [], more: false },
      views: [],
      settings: {},
    };
    return Promise.resolve(answers[name] ?? null);
  },
}));

it('shows a list once although the library changes meanwhile, and reports when it is listening', async () => {
  const started = start();
  expect(core.called).toEqual(['settings', 'views', 'window_state', 'overview']);
  // Simulates a change event during startup.
  void library.load();
  await started;
  expect(core.called.filter((name) => name === 'articles')).toHaveLength(1);
  expect(list.source).toEqual({ kind: 'unread' });
  await vi.waitFor(() => expect(library.status).toBe('ready'));
  expect(core.called).not.toContain('ready');
  core.heard();
  await vi.waitFor(() => expect(core.called).toContain('ready'));
});
