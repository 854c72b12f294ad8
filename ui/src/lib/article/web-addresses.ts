/** Makes links of the web addresses in an article's plain text, such as the description of a video. */

/** Not in links, code and formulas. */
const SKIPPED = 'a, pre, code, kbd, samp, button, summary, math, .tex, .tex-block';

/** Letters of scripts without spaces do not belong to an address: the sentence goes on after it. */
const ADDRESS =
  /\bhttps?:\/\/(?:[\w\-.~:/?#[\]@!$&'()*+,;=%]|(?=\p{L})[^\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]){1,2000}/giu;

/** Punctuation that ends a sentence or a quotation rather than an address. */
const END = /[.,;:!?'*_~\])]$/;
const PAIRS: Record<string, string> = { ')': '(', ']': '[' };

/** Returns the address at the start of a text, without the punctuation after it; an empty string if it is none. */
export function trimmed(address: string): string {
  let rest = address;
  while (END.test(rest)) {
    const last = rest.at(-1) ?? '';
    const opening = PAIRS[last];
    // A bracket that was opened in the address belongs to it.
    if (opening && rest.split(opening).length >= rest.split(last).length) break;
    rest = rest.slice(0, -1);
  }
  try {
    return new URL(rest).hostname.includes('.') ? rest : '';
  } catch {
    return '';
  }
}

export function linkAddresses(root: Element): void {
  if (!root.textContent?.includes('://')) return;
  const page = root.ownerDocument;
  const walker = page.createTreeWalker(root, 4 /* text */);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if ((node as Text).data.includes('://') && !node.parentElement?.closest(SKIPPED)) texts.push(node as Text);
  for (const text of texts) {
    const pieces = page.createDocumentFragment();
    let at = 0;
    for (const { 0: found, index } of text.data.matchAll(ADDRESS)) {
      const address = trimmed(found);
      if (!address) continue;
      const link = page.createElement('a');
      link.setAttribute('href', address);
      link.setAttribute('rel', 'noreferrer noopener');
      link.textContent = address;
      pieces.append(text.data.slice(at, index), link);
      at = index + address.length;
    }
    if (at === 0) continue;
    pieces.append(text.data.slice(at));
    text.replaceWith(pieces);
  }
}
