/** How an article is set, as what its style sheet reads. */
import type { ArticleFont, ArticleLook } from '../ipc';

const FONTS: Record<ArticleFont, string> = {
  serif: 'var(--serif)',
  sans: 'var(--font)',
  system: 'system-ui, sans-serif',
};

/** Half an em is what a character takes on average. */
const CHARACTER = 0.505;

export const lookStyle = (look: ArticleLook, rootSize: number): Record<string, string> => ({
  'font-size': `${rootSize}px`,
  '--article-font': FONTS[look.font],
  '--article-size': `${look.size * 1.125}rem`,
  '--article-width': `${(look.width * CHARACTER).toFixed(2)}em`,
  '--article-leading': String(look.leading),
  '--article-hyphens': look.hyphens ? 'auto' : 'manual',
});

export const styleText = (style: Record<string, string>): string =>
  Object.entries(style)
    .map(([name, value]) => `${name}:${value}`)
    .join(';');

/**
 * Whether a rule, as the browser understood it, would ask a server for something: it may come from an archive of somebody else's. What
 * stands in a custom property is not understood yet, so nothing may be hidden there behind a backslash.
 */
export const asks = (rule: string): boolean =>
  /(?:url|src|image|image-set)\((?!\s*["']?data:)/i.test(rule) || /--[^:;{}]+:[^;}]*\\/.test(rule);

/** The reader's own style sheet, over the window's, but for what would ask a server. No policy of the page's keeps the window from it. */
export function ownSheet(page: Document, css: string): void {
  const view = page.defaultView as (Window & { CSSStyleSheet?: typeof CSSStyleSheet }) | null;
  if (!view?.CSSStyleSheet) return;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(css);
  for (let at = sheet.cssRules.length - 1; at >= 0; at--)
    if (asks(sheet.cssRules[at]?.cssText ?? '')) sheet.deleteRule(at);
  page.adoptedStyleSheets = css.trim() === '' ? [] : [sheet];
}
