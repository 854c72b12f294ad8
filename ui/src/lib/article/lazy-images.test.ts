// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lazyImages } from './lazy-images';

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML =
    '<img data-gl-src="https://e.org/a.png"><img data-gl-src="https://e.org/b.png"><video src="https://e.org/v.mp4"></video>';
});
afterEach(() => vi.useRealTimers());

const sources = () => [...document.querySelectorAll('img, video')].map((one) => one.getAttribute('src'));

it('requests no images when an article is only skimmed', () => {
  const stop = lazyImages(document);
  stop();
  vi.advanceTimersByTime(1000);
  expect(sources().slice(0, 2)).toEqual([null, null]);
});

it('cancels pending images when the article is closed, but not loaded ones', () => {
  const stop = lazyImages(document);
  vi.advanceTimersByTime(1000);
  expect(sources()).toEqual(['https://e.org/a.png', 'https://e.org/b.png', 'https://e.org/v.mp4']);
  const [come, coming] = document.querySelectorAll('img');
  Object.defineProperty(come, 'complete', { value: true });
  Object.defineProperty(coming, 'complete', { value: false });
  const load = vi.spyOn(document.querySelector('video')!, 'load').mockReturnValue();
  stop();
  expect(sources()).toEqual(['https://e.org/a.png', null, null]);
  expect(load).toHaveBeenCalledOnce();
});
