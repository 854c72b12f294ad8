import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

it('uses answers to requests of the shell, once', async () => {
  const invoke = vi.fn(async (name: string) => Promise.resolve(`late ${name}`));
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('__TAURI_INTERNALS__', { invoke });
  vi.stubGlobal('__GLEANER_EARLY__', { overview: Promise.resolve('early overview') });
  const { call } = await import('./index');
  expect(await call('settings')).toBe('late settings');
  expect(await call('overview')).toBe('early overview');
  expect(await call('overview')).toBe('late overview');
  expect(invoke.mock.calls.map(([name]) => name)).toEqual(['settings', 'overview']);
});
