import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // For the runes of state.
  plugins: [svelte()],
  define: { __FAKE__: 'true' },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
