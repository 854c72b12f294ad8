import { expect, it, vi } from 'vitest';
import { afterFonts } from './fonts';

/** Fonts as WebKitGTK has them: without events. */
function fonts(status: 'loading' | 'loaded') {
  let load = (): void => {};
  const ready = new Promise<void>((resolve) => (load = resolve));
  return { set: { status, ready } as unknown as FontFaceSet, load };
}

it('waits for fonts that are loading', async () => {
  const { set, load } = fonts('loading');
  const run = vi.fn();
  afterFonts(run, set);
  await Promise.resolve();
  expect(run).not.toHaveBeenCalled();
  load();
  await set.ready;
  expect(run).toHaveBeenCalledOnce();
});

it('does nothing when the fonts are there, nor after it is cancelled', async () => {
  const run = vi.fn();
  const there = fonts('loaded');
  afterFonts(run, there.set);
  const { set, load } = fonts('loading');
  afterFonts(run, set)();
  there.load();
  load();
  await Promise.all([there.set.ready, set.ready]);
  expect(run).not.toHaveBeenCalled();
});
