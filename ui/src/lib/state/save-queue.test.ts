import { expect, it } from 'vitest';
import { SaveQueue } from './save-queue';

it('saves one after the other, and only the last of those waiting', async () => {
  const saves = new SaveQueue();
  const done: string[] = [];
  const save = (what: string) => async () => {
    await Promise.resolve();
    done.push(what);
  };
  const first = saves.enqueue(save('first'));
  await Promise.resolve();
  const saved = [first, saves.enqueue(save('second')), saves.enqueue(save('third'))];
  expect(await saves.readSettled(() => Promise.resolve('old'))).toBeNull();
  await Promise.all(saved);
  expect(done).toEqual(['first', 'third']);
  expect(await saves.readSettled(() => Promise.resolve('as saved'))).toBe('as saved');
});

it('drops a value that a save has overtaken', async () => {
  const saves = new SaveQueue();
  const read = saves.readSettled(() => Promise.resolve('old'));
  await saves.enqueue(() => Promise.resolve());
  expect(await read).toBeNull();
});
