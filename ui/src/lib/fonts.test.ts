import { expect, it, vi } from 'vitest';
import { afterFont } from './fonts';

/** Fonts that `load` loads if they can be loaded. */
function fonts(there: boolean, loadable = true) {
  const state = { there };
  const load = vi.fn(() => {
    state.there ||= loadable;
    return Promise.resolve([]);
  });
  return { check: () => state.there, load } as unknown as FontFaceSet;
}

it('measures texts again when their font has loaded', async () => {
  const set = fonts(false);
  const run = vi.fn();
  afterFont('a', run, set);
  expect(run).not.toHaveBeenCalled();
  await Promise.resolve();
  expect(run).toHaveBeenCalledOnce();
  afterFont('a', run, set);
  await Promise.resolve();
  expect(set.load).toHaveBeenCalledOnce();
});

it('measures no texts again whose font was there, or cannot be loaded', async () => {
  const run = vi.fn();
  const there = fonts(true);
  afterFont('a', run, there);
  afterFont('a', run, fonts(false, false));
  await Promise.resolve();
  expect(run).not.toHaveBeenCalled();
  expect(there.load).not.toHaveBeenCalled();
});
