import { beforeEach, expect, it, vi } from 'vitest';
import type { ArticleRow, CommandName, Core } from '../../lib/ipc';
import { fakeCore } from '../../lib/ipc/fake';
import { NONE } from '../../lib/list/picks';
import { list } from '../../lib/state/list.svelte';
import { rowMenu } from './picked-menu';

const shell = vi.hoisted(() => ({ core: null as Core | null }));

vi.mock('../../lib/ipc', async (original) => ({
  ...(await original<typeof import('../../lib/ipc')>()),
  call: (name: CommandName, args?: unknown) => shell.core?.call(name, args ?? null),
}));

const at = (index: number) => list.rows[index] as ArticleRow;
const items = (index: number) => rowMenu(at(index), () => {}).filter((item) => item !== 'line');
const read = () => list.rows.flatMap((row, index) => (row.read ? [index] : []));

beforeEach(async () => {
  shell.core = fakeCore();
  list.knows.forget();
  list.picks = NONE;
  await list.show({ kind: 'unread' });
  list.picks = { ids: new Set([at(1).id, at(3).id]), anchor: null };
});

it('does with all that are chosen what is asked of one of them, and says with how many', () => {
  expect(items(3).every(({ label }) => label.endsWith(' (2)'))).toBe(true);
  items(3)
    .find(({ action }) => action === 'toggle_read')
    ?.run();
  expect(read()).toEqual([1, 3]);
});

it('leaves them alone where it was asked of another, or one is chosen', () => {
  expect(items(2).some(({ label }) => label.includes('(2)'))).toBe(false);
  items(2)
    .find(({ action }) => action === 'toggle_read')
    ?.run();
  expect(read()).toEqual([2]);
  list.picks = { ids: new Set([at(1).id]), anchor: null };
  expect(items(1).some(({ action }) => action === 'open')).toBe(true);
});
