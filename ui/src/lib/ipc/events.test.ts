import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

it('subscribes to all events of the core at once', async () => {
  const subscriptions: ((event: { payload: unknown }) => void)[] = [];
  const invoke = vi.fn(async () => Promise.resolve(1));
  const transformCallback = (handler: (event: { payload: unknown }) => void) => subscriptions.push(handler);
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('__TAURI_INTERNALS__', { invoke, transformCallback });
  const { listening, on } = await import('./index');
  const [left, stopped, progress] = [vi.fn(), vi.fn(), vi.fn()];
  on('index_progress', left);
  const stop = on('index_progress', stopped);
  on('refresh_progress', progress);
  const failed = vi.spyOn(console, 'error').mockReturnValue();
  left.mockImplementation(() => {
    throw new Error('unexpected');
  });
  const later = vi.fn();
  on('index_progress', later);
  await listening();
  expect(invoke).toHaveBeenCalledOnce();
  stop();
  subscriptions[0]?.({ payload: ['index_progress', 7] });
  expect(left).toHaveBeenCalledExactlyOnceWith(7);
  expect(failed).toHaveBeenCalledOnce();
  expect(later).toHaveBeenCalledExactlyOnceWith(7);
  expect(stopped).not.toHaveBeenCalled();
  expect(progress).not.toHaveBeenCalled();
});
