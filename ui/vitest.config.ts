/** How the tests of the window are run. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // For runes in state modules.
  plugins: [svelte()],
  define: { __DEV_HOST__: 'false' },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
    globalSetup: 'tests/dev-host.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
