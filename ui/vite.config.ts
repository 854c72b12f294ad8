/** How the window is built. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig(({ command }) => ({
  plugins: [svelte()],
  // In development the window talks to the core behind HTTP: `cargo run -p gleaner-dev-host -- --port 4174`.
  define: { __DEV_HOST__: JSON.stringify(command === 'serve') },
  clearScreen: false,
  server: {
    fs: { allow: ['.', '../docs/guide', '../CHANGELOG.md'] },
    port: 5173,
    strictPort: true,
    proxy: { '/libraries': 'http://127.0.0.1:4174' },
  },
  build: {
    target: ['safari16', 'chrome111'],
    // The policy forbids data: fonts and inline styles, so every asset must be a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    reportCompressedSize: true,
    // Part of the packages' list of licences (src-tauri/packaging/licences).
    license: { fileName: 'licences.md' },
  },
}));
