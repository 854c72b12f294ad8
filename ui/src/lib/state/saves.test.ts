import { expect, it } from 'vitest';
import { Saves } from './saves';

it('saves one after the other, and of those that wait only the last', async () => {
  const saves = new Saves();
  const done: string[] = [];
  const save = (what: string) => async () => {
    await Promise.resolve();
    done.push(what);
  };
  const first = saves.ask(save('first'));
  await Promise.resolve();
  const asked = [first, saves.ask(save('second')), saves.ask(save('third'))];
  expect(await saves.settled(() => Promise.resolve('old'))).toBeNull();
  await Promise.all(asked);
  expect(done).toEqual(['first', 'third']);
  expect(await saves.settled(() => Promise.resolve('as saved'))).toBe('as saved');
});

it('does not take an answer that a save has overtaken', async () => {
  const saves = new Saves();
  const read = saves.settled(() => Promise.resolve('old'));
  await saves.ask(() => Promise.resolve());
  expect(await read).toBeNull();
});
