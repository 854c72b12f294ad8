/**
 * Words without an end. No line has room for them, and to break one of a million characters WebKit measures the rest of it anew for each
 * line: that holds the window up for minutes. So they get places to break at.
 */
const LONG = 1000;
const PARTS = new RegExp(`\\S{${LONG}}(?=\\S)`, 'gu');

export function breakLongWords(root: Element): void {
  const page = root.ownerDocument;
  const walker = page.createTreeWalker(root, 4 /* text */);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    // Code breaks nowhere: its lines are as long as they are.
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
