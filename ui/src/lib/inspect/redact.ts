/** Taking secrets out of addresses before they are shown to others: names, passwords, keys of private feeds. */

const PLACEHOLDER = '…';

/** Said in public all the time: numbers, short words, names of formats. */
const isPlain = (value: string): boolean => /^\d{1,9}$|^[a-z][a-z_.-]{0,11}$|^[a-z]{1,5}\d{0,2}$/i.test(value);

const SECRET = /key|token|auth|secret|pass|pwd|sig|session|user|login|mail|code|hash/i;

/** Letters and digits mixed, and long: what no person would write into an address. */
const isKey = (part: string): boolean =>
  /^[\w~=+.-]{16,}$/.test(part) && /\d/.test(part) && /[a-z]/i.test(part) && !/^\d{4}-\d\d/.test(part);

/** The address without what may be secret in it. */
export function publicUrl(address: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return address;
  }
  const path = url.pathname.split('/').map((part) => (isKey(part) ? PLACEHOLDER : part));
  const query = [...url.searchParams].map(([name, value]) => {
    const shown = SECRET.test(name) || !isPlain(value) ? PLACEHOLDER : value;
    // A query without an equals sign may be nothing but a key.
    return value === '' ? (isKey(name) ? PLACEHOLDER : name) : `${name}=${shown}`;
  });
  return `${url.protocol}//${url.host}${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** The text with every address in it made public. */
export const publicText = (text: string): string =>
  text.replace(/\b(?:https?|feed|ftp):\/\/[^\s<>"'`|]+/gi, (address) => publicUrl(address));
