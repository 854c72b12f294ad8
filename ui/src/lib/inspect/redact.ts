/** Removes secrets from addresses before they are shared: user names, passwords, keys of private feeds. */

const PLACEHOLDER = '…';

/** Returns whether a text mixes letters and digits, or upper and lower case, as words do not. */
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

/** Returns whether a part looks like a key: long and mixed, or a shorter run that is not a word. */
function isKey(part: string): boolean {
  const text = unescaped(part);
  if (/^\S{16,}$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text) && !/^\d{4}-\d\d/.test(text)) return true;
  return (text.match(/[a-z\d]{8,}/gi) ?? []).some(isRandom);
}

/** Values of query and path parameters, even if the start of the address is missing. */
const VALUES = /((?:[?&;#]|\\u0026)(?:amp;)?[\w.~-]+=)(?:(?!\\u0026)[^\s&"'<>])+/g;

/** Returns an address without possible secrets. */
export function publicUrl(address: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return PLACEHOLDER;
  }
  // A file path reveals the user's name.
  if (url.protocol === 'file:') return `file:///${PLACEHOLDER}`;
  const path = url.pathname.split('/').map((part) => (isKey(part) || /[\d.]{10,}/.test(part) ? PLACEHOLDER : part));
  const query = [...url.searchParams].map(([name, value]) => {
    const shown = isKey(name) ? PLACEHOLDER : name;
    return value === '' ? shown : `${shown}=${PLACEHOLDER}`;
  });
  const shown = `${url.protocol}//${url.host}${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  return shown.replace(VALUES, `$1${PLACEHOLDER}`);
}

/** Addresses, including JSON with escaped slashes; parameter values; and runs that may be keys. */
const PARTS =
  /\b([a-z][a-z\d+-]*:(?:\/\/|\\\/\\\/)[^\s<>"'`|]+)|(?:[?&;#]|\\u0026)[\w.~-]+=[^\s"'<>]+|(?:%[\da-f]{2}|[\w~+-]){8,}=*/gi;

/** Redacts all addresses in a text, and what may be part of one. */
export function publicText(text: string): string {
  const shown = text.replace(PARTS, (part, address: string | undefined) => {
    if (address?.includes('\\/')) return publicUrl(address.replaceAll('\\/', '/')).replaceAll('/', '\\/');
    if (address !== undefined) return publicUrl(address);
    if (/^[?&;#\\]/.test(part)) return part.replace(VALUES, `$1${PLACEHOLDER}`);
    return isKey(part) ? PLACEHOLDER : part;
  });
  // User name and password without a scheme.
  return shown.replace(VALUES, `$1${PLACEHOLDER}`).replace(/[^\s/@"'<>:]+:[^\s/@"'<>]+@/g, `${PLACEHOLDER}@`);
}

/**
 * An excerpt may be cut out of a longer line if its position is at least this many characters in: the core cuts at 60
 * bytes.
 */
const CUT = 15;

/** Redacts an excerpt. A cut-off word at its start is removed, too: it may be part of a key. */
export const publicExcerpt = (text: string, at: number): string =>
  publicText(at < CUT ? text : text.replace(/^[^\s<>]+/, PLACEHOLDER));
