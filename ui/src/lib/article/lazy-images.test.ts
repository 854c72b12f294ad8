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
  for (const image of document.querySelectorAll('img')) Object.defineProperty(image, 'naturalWidth', { value: 9 });
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

it('marks pending images, which have room in a gallery', () => {
  const images = [...document.querySelectorAll('img')];
  for (const image of images) Object.defineProperty(image, 'complete', { value: false, configurable: true });
  Object.defineProperty(images[0], 'naturalWidth', { value: 9 });
  const stop = lazyImages(document);
  vi.advanceTimersByTime(1000);
  expect(images.map((image) => image.className)).toEqual(['gl-pending', 'gl-pending']);
  for (const image of images) Object.defineProperty(image, 'complete', { value: true });
  vi.advanceTimersByTime(1000);
  stop();
  expect(images.map((image) => image.className)).toEqual(['', 'gl-off gl-blank']);
});

it('shows the text of an image that cannot be loaded, and asks for no other', () => {
  document.body.innerHTML =
    '<a class="gl-zoom" href="#"><img alt="A map" width="9" data-gl-src="https://e.org/a.png"></a>' +
    '<img alt="" data-gl-src="https://e.org/b.png"><img alt="Fine" data-gl-src="https://e.org/c.png">' +
    '<img alt="A drawing" data-gl-src="https://e.org/d.svg"><img data-gl-src="https://e.org/e.png">' +
    '<img width="16" data-gl-src="https://e.org/f.png">' +
    '<span class="gl-poster"><img alt="" data-gl-src="https://e.org/g.png"></span>' +
    '<figure><img alt="" data-gl-src="https://img.e.org/h.png"></figure>';
  const images = [...document.querySelectorAll('img')];
  images.forEach((image, at) => {
    Object.defineProperty(image, 'complete', { value: true });
    Object.defineProperty(image, 'naturalWidth', { value: at === 2 ? 9 : 0 });
  });
  const stop = lazyImages(document);
  vi.advanceTimersByTime(1000);
  stop();
  expect(images.map((image) => [image.getAttribute('src'), image.className])).toEqual([
    [null, 'gl-off'],
    [null, ''],
    ['https://e.org/c.png', ''],
    ['https://e.org/d.svg', ''],
    [null, 'gl-off gl-blank'],
    [null, ''],
    [expect.anything(), ''],
    [null, 'gl-off gl-blank'],
  ]);
  // An image without a text shows its host.
  expect(
    images
      .map((image) => image.dataset['glHost'] ?? '')
      .join(' ')
      .trim(),
  ).toMatch(/^e\.org\s+img\.e\.org$/);
  expect(document.querySelector('.gl-poster.gl-plain img')).toBeNull();
  expect(document.querySelector('.gl-plain')).not.toBeNull();
  expect(document.querySelector('.gl-zoom')).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});
