// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import type { CommandName, Core } from '../ipc';
import { fakeCore } from '../ipc/fake';
import { reading } from './article.svelte';
import { list } from './list.svelte';

const shell = vi.hoisted(() => ({ core: null as Core | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => shell.core?.call(name, args ?? null),
}));

afterEach(() => {
  reading.place = null;
  reading.close();
});

it('keeps each line that is read on in a long article', async () => {
  shell.core = fakeCore();
  await list.show({ kind: 'all' });
  const [one, other] = list.rows.map(({ id }) => id) as [number, number];
  let position = 0;
  reading.place = () => ({ id: reading.article?.id ?? 0, position });
  await reading.open(one);
  for (position of [0.3, 0.301]) {
    reading.keepPlace();
    await reading.open(other);
    await reading.open(one);
    expect(reading.kept).toBe(position);
  }
});
