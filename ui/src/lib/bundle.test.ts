import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, it, vi } from 'vitest';

/** Maximum size of the scripts and style sheets that the window loads at start, without fonts. */
const MAX_BYTES = 235_000;

it('keeps the initial bundle small', { timeout: 240_000 }, async () => {
  // Vitest's own environment would build Svelte's and Vite's code for development, which is a tenth larger.
  vi.stubEnv('NODE_ENV', 'production');
  const built = (await build({ logLevel: 'silent', build: { write: false } })) as Rolldown.RolldownOutput;
  vi.unstubAllEnvs();
  const chunks = new Map(built.output.map((one) => [one.fileName, one]));
  const needed = new Set<string>();
  const need = (name: string): void => {
    const chunk = chunks.get(name);
    if (!chunk || needed.has(name)) return;
    needed.add(name);
    if (chunk.type === 'chunk') [...chunk.imports, ...(chunk.viteMetadata?.importedCss ?? [])].forEach(need);
  };
  for (const one of built.output) if (one.type === 'chunk' && one.isEntry) need(one.fileName);
  const sizes = [...needed].map((name) => {
    const one = chunks.get(name);
    return gzipSync(one?.type === 'chunk' ? one.code : (one?.source ?? '')).length;
  });
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
});
