// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import type { CommandName } from '../ipc';
import { reading } from './article.svelte';
import { list } from './list.svelte';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
}));

afterEach(async () => {
  reading.place = null;
  reading.close();
  await test.core?.close();
});

it('saves small progress in a long article', async () => {
  test.core = await TestCore.open();
  await list.show({ kind: 'all' });
  const [one, other] = list.rows.map(({ id }) => id) as [number, number];
  let position = 0;
  reading.place = () => ({ id: reading.article?.id ?? 0, position });
  await reading.open(one);
  for (position of [0.3, 0.301]) {
    reading.savePosition();
    await reading.open(other);
    await reading.open(one);
    expect(reading.savedPosition).toBe(position);
  }
});
