import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dayHeading, shortDate } from '../messages/format';
import { today } from '../messages/today.svelte';
import { library } from './library.svelte';
import { followDays } from './follow-days';

const calls = vi.hoisted(() => [] as string[]);
vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: string) => {
    calls.push(name);
    return Promise.resolve({ smart: { today: 0, unread: 0, starred: 0, all: 0 }, unread: [] });
  },
}));

const page = Object.assign(new EventTarget(), { hidden: false });
let stop: () => void;

function setHidden(hidden: boolean): void {
  page.hidden = hidden;
  page.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 10, 28, 23, 58) });
  vi.stubGlobal('document', page);
  today.update();
  calls.length = 0;
  library.status = 'ready';
  stop = followDays();
});

afterEach(() => {
  stop();
  setHidden(false);
  library.status = 'loading';
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('notices the day that begins while the window is open', () => {
  const received = Date.now();
  vi.advanceTimersByTime(60_000);
  expect([dayHeading(received), calls]).toEqual(['Today', []]);
  vi.advanceTimersByTime(120_000);
  expect([dayHeading(received), shortDate(received), calls]).toEqual(['Yesterday', 'Yesterday', ['counts']]);
});

it('notices it in a window that was hidden, once it is shown', () => {
  setHidden(true);
  vi.advanceTimersByTime(3_600_000);
  expect(calls).toEqual([]);
  setHidden(false);
  setHidden(true);
  setHidden(false);
  expect(calls).toEqual(['counts']);
});
