import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { __FAKE__: 'true' },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
