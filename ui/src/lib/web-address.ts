/** A web address as it was typed, with or without its scheme; `null` where it is none. */
export function webAddress(typed: string): string | null {
  const text = typed.trim();
  if (text === '' || /\s/.test(text)) return null;
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(whole)) return null;
  const url = new URL(whole);
  const web = url.protocol === 'https:' || url.protocol === 'http:';
  return web && (/[.:]/.test(url.hostname) || url.hostname === 'localhost') ? url.href : null;
}

/** Whether a feed is a file of this computer: it has no server, and no history behind it. */
export const isFile = (feed: { readonly url: string }): boolean => feed.url.startsWith('file:');
