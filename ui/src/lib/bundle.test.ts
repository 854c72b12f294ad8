import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { beforeAll, expect, it, vi } from 'vitest';

/** Maximum size of the scripts and style sheets that the window loads at start, without fonts. */
const MAX_BYTES = 195_000;

let built: Rolldown.RolldownOutput;

beforeAll(async () => {
  // Vitest's own environment would build Svelte's and Vite's code for development, which is a tenth larger.
  vi.stubEnv('NODE_ENV', 'production');
  built = (await build({ logLevel: 'silent', build: { write: false } })) as Rolldown.RolldownOutput;
  vi.unstubAllEnvs();
}, 240_000);

/** Returns the text of a built file. */
function textOf(ending: string): string {
  const found = built.output.find(({ fileName }) => fileName.endsWith(ending));
  return found?.type === 'asset' ? String(found.source) : '';
}

it('keeps the initial bundle small', () => {
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

it('loads the font of the interface before its style sheet', () => {
  const page = textOf('index.html');
  const [, font] = /rel="preload" as="font"[^>]* href="([^"]+)"/.exec(page.replace(/\s+/g, ' ')) ?? [];
  const [, sheet] = /rel="stylesheet"[^>]* href="([^"]+)"/.exec(page) ?? [];
  expect(font).toContain('inter-latin-wght-normal');
  expect(textOf(sheet?.slice(1) ?? 'no style sheet')).toContain(`url(${font})`);
});
