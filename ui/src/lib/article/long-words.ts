/**
 * Adds break opportunities to extremely long words. To break a word of a million characters, WebKit measures the rest
 * again for each line, which blocks the window for minutes.
 */
const LONG = 1000;
const PARTS = new RegExp(`\\S{${LONG}}(?=\\S)`, 'gu');

export function breakLongWords(root: Element): void {
  const page = root.ownerDocument;
  const walker = page.createTreeWalker(root, 4 /* text */);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    // Code is not wrapped.
    if ((node as Text).length > LONG && !node.parentElement?.closest('pre, math')) texts.push(node as Text);
  for (const text of texts) {
    const pieces: (string | Node)[] = [];
    let at = 0;
    for (const { 0: part, index } of text.data.matchAll(PARTS)) {
      pieces.push(text.data.slice(at, index + part.length), page.createElement('wbr'));
      at = index + part.length;
    }
    if (at > 0) text.replaceWith(...pieces, text.data.slice(at));
  }
}
