import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, it } from 'vitest';

/** Of what the window loads before it shows anything: scripts and style sheets, without fonts. */
const MOST = 250_000;

it('is small: what the window starts with', { timeout: 240_000 }, async () => {
  const built = (await build({ logLevel: 'silent', build: { write: false } })) as Rolldown.RolldownOutput;
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
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST);
});
