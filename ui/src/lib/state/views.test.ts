import { beforeEach, expect, it, vi } from 'vitest';
import type { View } from '../ipc';
import { toasts } from './toasts.svelte';
import { views } from './views.svelte';

const core = vi.hoisted(() => ({ saves: [] as { view: View; answer: (error?: unknown) => void }[] }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (_: 'save_view', view: View) =>
    new Promise<void>((done, fail) => core.saves.push({ view, answer: (error) => (error ? fail(error) : done()) })),
}));

const ALL = { kind: 'all' } as const;
const REFUSED = { code: 'disk_full', params: {} };
const saved = (count: number) => vi.waitFor(() => expect(core.saves).toHaveLength(count));

beforeEach(() => {
  core.saves = [];
  toasts.shown = [];
});

it('reverts a refused change but keeps later ones', async () => {
  const first = views.change(ALL, { order: 'longest', river: true });
  const second = views.change(ALL, { group: 'feed', river: false });
  const third = views.change({ kind: 'unread' }, { order: 'oldest' });
  expect(views.of(ALL)).toMatchObject({ order: 'longest', group: 'feed', river: false });
  await saved(1);
  core.saves[0]?.answer(REFUSED);
  await first;
  expect(views.of(ALL)).toMatchObject({ order: 'newest', group: 'feed', river: false });
  expect(toasts.shown).toHaveLength(1);
  await saved(2);
  // The refused change is not sent again.
  expect(core.saves[1]?.view).toMatchObject({ order: 'newest', group: 'feed', river: false });
  core.saves[1]?.answer();
  await second;
  await saved(3);
  core.saves[2]?.answer();
  await third;
  expect(views.of(ALL)).toMatchObject({ order: 'newest', group: 'feed' });
  expect(views.of({ kind: 'unread' }).order).toBe('oldest');
});

it('reverts two refused changes to the stored value', async () => {
  const before = views.of(ALL);
  const changed = [views.change(ALL, { order: 'shortest' }), views.change(ALL, { order: 'infrequent_first' })];
  await saved(1);
  core.saves[0]?.answer(REFUSED);
  await saved(2);
  expect(views.of(ALL).order).toBe('infrequent_first');
  core.saves[1]?.answer(REFUSED);
  await Promise.all(changed);
  expect(views.of(ALL)).toEqual(before);
});
