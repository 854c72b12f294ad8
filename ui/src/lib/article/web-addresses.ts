/** Makes links of the web addresses in an article's plain text, such as the description of a video. */
import { linkTexts } from './text-links';

/** Letters of scripts without spaces do not belong to an address: the sentence goes on after it. */
const ADDRESS =
  /\bhttps?:\/\/(?:[\w\-.~:/?#[\]@!$&'()*+,;=%]|(?=\p{L})[^\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]){1,2000}/giu;

/** Punctuation that ends a sentence or a quotation rather than an address. */
const END = /[.,;:!?'*_~\])]$/;
const PAIRS: Record<string, string> = { ')': '(', ']': '[' };

/** Returns the address at the start of a text, without the punctuation after it; an empty string if there is none. */
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
  linkTexts(root, '://', ADDRESS, ([found]) => {
    const address = trimmed(found);
    return address ? { text: address, href: address } : null;
  });
}
