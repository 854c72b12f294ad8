/** Detects TeX in an article. The renderer in `tex.ts` is loaded only for articles that may contain TeX. */

/** Between single dollars, one of these must occur. */
export const SAYS = /\\[a-zA-Z]|[_^]|^[a-zA-Z]$|^[a-zA-Z]\s*[=<>+-]\s*[\w\\]+$/;

const HINTS = /\$\$|\\\(|\\\[|\$latex\s|class="tex(?:-block)?"|class="language-math"|latex\.php\?|codecogs\.com/;

/** Returns whether an article may contain TeX; only then is the renderer loaded. */
export function mayHaveTex(html: string): boolean {
  if (HINTS.test(html)) return true;
  let position = 0;
  for (const [, between] of html.matchAll(/\$([^$\n<]{1,400})(?=\$)/g)) {
    if (SAYS.test(between ?? '')) return true;
    if (++position > 1000) return false;
  }
  return false;
}
