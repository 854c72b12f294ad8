// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { replaceFailedMedia } from './failed-media';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const NO_SOURCE = 3;
const words = {
  direction: 'ltr',
  failed: (file: string) => `No “${file}”`,
  advice: 'It may be gone.',
  open: 'Open in browser',
} as const;

function page(html: string, states: readonly (readonly [ready: number, network: number])[]): HTMLElement[] {
  document.body.innerHTML = html;
  const media = [...document.querySelectorAll<HTMLMediaElement>('video, audio')];
  media.forEach((one, at) => {
    const [readyState, networkState] = states[at] ?? [0, 1];
    Object.defineProperties(one, {
      error: { value: null, configurable: true },
      readyState: { value: readyState, configurable: true },
      networkState: { value: networkState, configurable: true },
    });
  });
  return media;
}

it('names a video that cannot be loaded, and offers the browser', () => {
  page('<video><source src="https://e.org/v.mp4"></video><video src="https://e.org/w.mp4"></video>', [
    [0, NO_SOURCE],
    [4, 1],
  ]);
  const changed = vi.fn();
  const stop = replaceFailedMedia(document, words, changed);
  vi.advanceTimersByTime(5000);
  expect(document.querySelectorAll('video')).toHaveLength(1);
  expect(document.querySelector('p')?.textContent).toBe('No “v.mp4”It may be gone. Open in browser');
  expect(document.querySelector('a')?.getAttribute('href')).toBe('https://e.org/v.mp4');
  expect(changed).toHaveBeenCalledOnce();
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('ends when all have begun to load, and rests while the window is hidden', () => {
  const [video] = page('<video src="https://e.org/v.mp4"></video>', [[0, 1]]);
  const hide = (value: boolean) => Object.defineProperty(document, 'hidden', { value, configurable: true });
  hide(false);
  replaceFailedMedia(document, words, () => undefined);
  vi.advanceTimersByTime(9000);
  expect(vi.getTimerCount()).toBe(1);
  hide(true);
  Object.defineProperty(video, 'readyState', { value: 1, configurable: true });
  vi.advanceTimersByTime(9000);
  expect(vi.getTimerCount()).toBe(1);
  hide(false);
  vi.advanceTimersByTime(2000);
  expect(vi.getTimerCount()).toBe(0);
  expect(video?.isConnected).toBe(true);
});

it('keeps one that looks for its source, and links to the web only', () => {
  const [video, audio] = page('<video src="https://e.org/v.mp4"></video><audio src="file:///x.mp3"></audio>', [
    [0, NO_SOURCE],
    [0, NO_SOURCE],
  ]);
  replaceFailedMedia(document, words, () => undefined);
  vi.advanceTimersByTime(3000);
  Object.defineProperty(video, 'networkState', { value: 2 });
  vi.advanceTimersByTime(3000);
  expect([video?.isConnected, audio?.isConnected]).toEqual([true, false]);
  expect(document.querySelector('a')).toBeNull();
});

it('needs no timer without audio and video', () => {
  page('<p>Text</p>', []);
  replaceFailedMedia(document, words, () => undefined);
  expect(vi.getTimerCount()).toBe(0);
});
