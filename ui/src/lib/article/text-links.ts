/** Makes links of parts of an article's plain text. The text itself never changes: highlights and notes are found by their words. */

/** Not in links, code and formulas. */
const SKIPPED = 'a, pre, code, kbd, samp, button, summary, math, .tex, .tex-block';

type TextLink = { readonly text: string; readonly href: string };

/**
 * Links what `pattern` matches. `sign` is a text that each match contains. `link` returns the beginning of a match that becomes a link,
 * or `null`.
 */
export function linkTexts(
  root: Element,
  sign: string,
  pattern: RegExp,
  link: (found: RegExpExecArray) => TextLink | null,
): void {
  if (!root.textContent?.includes(sign)) return;
  const page = root.ownerDocument;
  const walker = page.createTreeWalker(root, 4 /* text */);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if ((node as Text).data.includes(sign) && !node.parentElement?.closest(SKIPPED)) texts.push(node as Text);
  for (const text of texts) {
    const pieces = page.createDocumentFragment();
    let at = 0;
    for (const found of text.data.matchAll(pattern)) {
      const made = link(found);
      if (!made) continue;
      const anchor = page.createElement('a');
      anchor.setAttribute('href', made.href);
      anchor.setAttribute('rel', 'noreferrer noopener');
      anchor.textContent = made.text;
      pieces.append(text.data.slice(at, found.index), anchor);
      at = found.index + made.text.length;
    }
    if (at === 0) continue;
    pieces.append(text.data.slice(at));
    text.replaceWith(pieces);
  }
}
