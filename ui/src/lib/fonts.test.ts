import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterFonts } from './fonts';

let frames: FrameRequestCallback[] = [];

/** Paints a frame. */
function frame(): void {
  for (const callback of frames.splice(0)) callback(0);
}

/** Fonts as WebKitGTK has them: without events, and with a promise that is resolved once and for all. */
const fonts = (status: 'loading' | 'loaded') => ({ status, ready: Promise.resolve() }) as unknown as FontFaceSet;

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
});
afterEach(() => vi.unstubAllGlobals());

it('waits for fonts that are loading', () => {
  const set = fonts('loading');
  const run = vi.fn();
  afterFonts(run, set);
  frame();
  frame();
  expect(run).not.toHaveBeenCalled();
  Object.assign(set, { status: 'loaded' });
  frame();
  frame();
  expect(run).toHaveBeenCalledOnce();
  expect(frames).toEqual([]);
});

it('waits in frames only, so that the fonts can load, and not forever', async () => {
  const set = fonts('loading');
  const run = vi.fn(() => void afterFonts(run, set));
  afterFonts(run, set);
  await set.ready;
  await Promise.resolve();
  expect(run).not.toHaveBeenCalled();
  for (let painted = 0; painted < 1000; painted += 1) frame();
  expect(run).not.toHaveBeenCalled();
  expect(frames).toEqual([]);
});

it('does nothing when the fonts are there, nor after it is cancelled', () => {
  const run = vi.fn();
  afterFonts(run, fonts('loaded'));
  const set = fonts('loading');
  afterFonts(run, set)();
  Object.assign(set, { status: 'loaded' });
  frame();
  expect(run).not.toHaveBeenCalled();
});
