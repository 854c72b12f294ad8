import { expect, it, vi } from 'vitest';
import { whenFree } from './library-in-use';

const core = vi.hoisted(() => ({ answer: (): Promise<unknown> => Promise.resolve() }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: () => core.answer(),
}));

it('opens the library when the other program is done with it, and tells another error', async () => {
  vi.useFakeTimers();
  const fail = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code, params: {} }));
  for (const free of [() => Promise.resolve({}), fail('library_damaged')]) {
    core.answer = fail('library_in_use');
    // What waits is gone when the library is open.
    const open = vi.fn(async () => Promise.resolve(end()));
    const end = whenFree(open);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(open).not.toHaveBeenCalled();
    core.answer = free;
    await vi.advanceTimersByTimeAsync(2000);
    expect(open).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(open).toHaveBeenCalledOnce();
  }
  vi.useRealTimers();
});
