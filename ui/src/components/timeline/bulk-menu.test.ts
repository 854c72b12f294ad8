import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import type { ArticleRow, CommandName } from '../../lib/ipc';
import { NONE } from '../../lib/list/selection';
import { list } from '../../lib/state/list.svelte';
import { rowMenu } from './bulk-menu';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../../lib/ipc', async (original) => ({
  ...(await original<typeof import('../../lib/ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
}));

const at = (index: number) => list.rows[index] as ArticleRow;
const items = (index: number) => rowMenu(at(index), () => {}).filter((item) => item !== 'line');
const read = () => list.rows.flatMap((row, index) => (row.read ? [index] : []));

beforeEach(async () => {
  test.core = await TestCore.open();
  list.pendingMarks.forget();
  list.picks = NONE;
  await list.show({ kind: 'unread' });
  list.picks = { ids: new Set([at(1).id, at(3).id]), anchor: null };
});

afterEach(() => test.core?.close());

it('applies an action to all selected rows and shows their number', () => {
  expect(items(3).every(({ label }) => label.endsWith(' (2)'))).toBe(true);
  items(3)
    .find(({ action }) => action === 'toggle_read')
    ?.run();
  expect(read()).toEqual([1, 3]);
});

it('ignores the selection for another row, or if only one is selected', () => {
  expect(items(2).some(({ label }) => label.includes('(2)'))).toBe(false);
  items(2)
    .find(({ action }) => action === 'toggle_read')
    ?.run();
  expect(read()).toEqual([2]);
  list.picks = { ids: new Set([at(1).id]), anchor: null };
  expect(items(1).some(({ action }) => action === 'open')).toBe(true);
});
