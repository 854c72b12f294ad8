/** Returns a typed web address with its scheme; `null` if it is invalid. */
export function webAddress(typed: string): string | null {
  const text = typed.trim();
  if (text === '' || /\s/.test(text)) return null;
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(whole)) return null;
  const url = new URL(whole);
  const web = url.protocol === 'https:' || url.protocol === 'http:';
  return web && (/[.:]/.test(url.hostname) || url.hostname === 'localhost') ? url.href : null;
}

/** Returns whether others on the network can read what is sent to an address: it is http, and not on this computer. */
export function isUnencrypted(address: string): boolean {
  const text = address.trim();
  if (!/^http:/i.test(text)) return false;
  const host = URL.canParse(text) ? new URL(text).hostname : '';
  return !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}

/** Returns whether a feed is a local file, which has no server and no archive. */
export const isFile = (feed: { readonly url: string }): boolean => feed.url.startsWith('file:');
