/** The typography settings as CSS properties of the article's page. */
import type { ArticleFont, Typography } from '../ipc';

const FONTS: Record<ArticleFont, string> = {
  serif: 'var(--serif)',
  sans: 'var(--font)',
  system: 'system-ui, sans-serif',
};

/** Average width of a character, in em. */
const CHARACTER = 0.505;

export const typographyStyle = (typography: Typography, rootSize: number): Record<string, string> => ({
  'font-size': `${rootSize}px`,
  '--article-font': FONTS[typography.font],
  '--article-size': `${typography.size * 1.125}rem`,
  '--article-width': `${(typography.line_length * CHARACTER).toFixed(2)}em`,
  '--article-leading': String(typography.line_height),
  '--article-hyphens': typography.hyphenation ? 'auto' : 'manual',
});

export const styleText = (style: Record<string, string>): string =>
  Object.entries(style)
    .map(([name, value]) => `${name}:${value}`)
    .join(';');

/**
 * Returns whether a CSS rule, as parsed by the browser, would cause a request: style sheets may come from foreign
 * archives. Custom properties are not parsed yet, so backslashes in them are rejected, too.
 */
export const causesRequest = (rule: string): boolean =>
  /(?:url|src|image|image-set)\((?!\s*["']?data:)/i.test(rule) || /--[^:;{}]+:[^;}]*\\/.test(rule);

/**
 * Applies the user's style sheet without rules that cause requests. The page's policy does not prevent the window
 * from adding them.
 */
export function applyUserStyles(page: Document, css: string): void {
  const view = page.defaultView as (Window & { CSSStyleSheet?: typeof CSSStyleSheet }) | null;
  if (!view?.CSSStyleSheet) return;
  page.adoptedStyleSheets = css.trim() === '' ? [] : [userStyles(css, new view.CSSStyleSheet())];
}

/** Fills a style sheet with the user's rules that cause no requests. */
export function userStyles(css: string, sheet: CSSStyleSheet): CSSStyleSheet {
  sheet.replaceSync(css);
  for (let at = sheet.cssRules.length - 1; at >= 0; at--)
    if (causesRequest(sheet.cssRules[at]?.cssText ?? '')) sheet.deleteRule(at);
  return sheet;
}
