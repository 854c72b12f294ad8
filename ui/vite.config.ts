import { readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

type Csp = Record<string, string>;

/** The window's own policy, so that a preview in a plain browser is held to the same rules as the real window. */
function windowPolicy(): string {
  const file = new URL('../tauri.conf.json', import.meta.url);
  const csp = JSON.parse(readFileSync(file, 'utf8')).app.security.csp as Csp;
  return Object.entries(csp)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

export default defineConfig(({ command, mode }) => ({
  plugins: [svelte()],
  // The in-memory library is there while developing and in the preview, never in what is shipped.
  define: { __FAKE__: JSON.stringify(command === 'serve' || mode === 'fake') },
  clearScreen: false,
  server: { port: 5173, strictPort: true },
  preview: { port: 4173, headers: { 'Content-Security-Policy': windowPolicy() } },
  build: {
    target: ['safari16', 'chrome111'],
    // The policy knows no data: fonts and no inline styles: everything is a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    reportCompressedSize: true,
  },
}));
