/** Taking secrets out of addresses before they are shown to others: names, passwords, keys of private feeds. */

const PLACEHOLDER = '…';

/** Letters and digits in turn, or in no case that a word has: what no person would write. */
function isRandom(run: string): boolean {
  const turns = (run.match(/\d(?=[a-z])|[a-z](?=\d)/gi) ?? []).length;
  if (turns >= 3 || (turns > 0 && run.length >= 10 && !/^(?:[a-z]+\d{1,4}|\d{1,4}[a-z]+)$/i.test(run))) return true;
  return run.length >= 12 && (run.match(/[a-z](?=[A-Z])/g) ?? []).length >= 3;
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part.replace(/%[0-9a-f]{2}/gi, '-');
  }
}

/** Letters and digits mixed, and long; or a shorter run of them that is no word. */
function isKey(part: string): boolean {
  const text = unescaped(part);
  if (/^\S{16,}$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text) && !/^\d{4}-\d\d/.test(text)) return true;
  return (text.match(/[a-z\d]{8,}/gi) ?? []).some(isRandom);
}

/** Values of queries and of a path's parameters, also where what stands before them is missing. */
const VALUES = /((?:[?&;#]|\\u0026)(?:amp;)?[\w.~-]+=)(?:(?!\\u0026)[^\s&"'<>])+/g;

/** The address without what may be secret in it. */
export function publicUrl(address: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return PLACEHOLDER;
  }
  // Where something is on a disk says who has it.
  if (url.protocol === 'file:') return `file:///${PLACEHOLDER}`;
  const path = url.pathname.split('/').map((part) => (isKey(part) || /[\d.]{10,}/.test(part) ? PLACEHOLDER : part));
  const query = [...url.searchParams].map(([name, value]) => {
    const shown = isKey(name) ? PLACEHOLDER : name;
    return value === '' ? shown : `${shown}=${PLACEHOLDER}`;
  });
  const shown = `${url.protocol}//${url.host}${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  return shown.replace(VALUES, `$1${PLACEHOLDER}`);
}

/** Addresses, in JSON with their slashes escaped; what begins with the values of one; and runs of what may be a key. */
const PARTS =
  /\b([a-z][a-z\d+-]*:(?:\/\/|\\\/\\\/)[^\s<>"'`|]+)|(?:[?&;#]|\\u0026)[\w.~-]+=[^\s"'<>]+|(?:%[\da-f]{2}|[\w~+-]){8,}=*/gi;

/** The text with every address in it made public, and what may be a part of one. */
export function publicText(text: string): string {
  const shown = text.replace(PARTS, (part, address: string | undefined) => {
    if (address?.includes('\\/')) return publicUrl(address.replaceAll('\\/', '/')).replaceAll('/', '\\/');
    if (address !== undefined) return publicUrl(address);
    if (/^[?&;#\\]/.test(part)) return part.replace(VALUES, `$1${PLACEHOLDER}`);
    return isKey(part) ? PLACEHOLDER : part;
  });
  // A name and a password whose scheme is missing.
  return shown.replace(VALUES, `$1${PLACEHOLDER}`).replace(/[^\s/@"'<>:]+:[^\s/@"'<>]+@/g, `${PLACEHOLDER}@`);
}

/** Characters before its place from which on an excerpt may have been cut out of a longer line: the core takes 60 bytes. */
const CUT = 15;

/** The same for an excerpt with its place: the rest of a word at its beginning may be the rest of a key. */
export const publicExcerpt = (text: string, at: number): string =>
  publicText(at < CUT ? text : text.replace(/^[^\s<>]+/, PLACEHOLDER));
