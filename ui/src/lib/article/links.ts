/** Describes where a link leads and how it may deceive. Pure. */
import { shownHost } from './hosts';

/** Why a link needs a confirmation before it is opened. */
type Suspicion =
  /** The text of the link names another host. */
  | { readonly kind: 'claims'; readonly host: string }
  /** The part before an `@` is not a host, whatever it looks like. */
  | { readonly kind: 'user'; readonly user: string }
  /** The host has confusable letters. */
  | { readonly kind: 'look' };

export type LinkDescription = {
  /** As passed to the browser. */
  readonly address: string;
  /** The address in three parts: before the host, the host, and the rest. */
  readonly before: string;
  readonly host: string;
  readonly after: string;
  /** The scheme, if it may not be opened. */
  readonly refused: string | null;
  readonly reasons: readonly Suspicion[];
};

/** The core (`links.rs`) opens no others. */
const OPENED = new Set(['http:', 'https:', 'mailto:']);

/** Maximum number of characters displayed after the host; the full address can be copied. */
const AFTER = 200;

/** Characters that are invisible or change the direction of the text around them. */
const UNSEEN =
  /\p{Cc}|\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|\p{Z}|\p{Variation_Selector}|\u115f|\u1160|\u17b4|\u17b5|\u2800|\u3164|\uffa0|\u034f/gu;

/** Makes invisible characters visible, such as `\u{202E}` for a direction override. */
export function seen(text: string): string {
  return text.replace(UNSEEN, (c) => {
    const code = c.codePointAt(0) as number;
    return c === ' ' ? c : `\\u{${code.toString(16).toUpperCase().padStart(4, '0')}}`;
  });
}

/** Decodes percent-encoded letters; everything else stays encoded. */
function readable(part: string): string {
  const text = part.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    let plain: string;
    try {
      plain = decodeURIComponent(run);
    } catch {
      return run;
    }
    return [...plain].map((c) => (/[\p{L}\p{M}\p{N}]/u.test(c) ? c : encodeURIComponent(c))).join('');
  });
  return seen(text);
}

const cut = (text: string): string => ([...text].length > AFTER ? `${[...text].slice(0, AFTER).join('')}…` : text);

/** File extensions that look like top-level domains: "Node.js" is not a host. */
const NO_HOST =
  /\.(?:js|ts|rs|py|md|sh|pl|cc|so|zip|mov|txt|html?|php|css|json|xml|pdf|png|jpe?g|gif|mp[34])$|^(?:asp|vb|ado|ml)\.net$/i;

/** Returns the host named by a link's text, if the text is only an address. */
export function claimedHost(words: string): string | null {
  // Invisible characters hide a host from programs; full-width dots and slashes imitate others.
  const text = words
    .slice(0, 2000)
    .replace(UNSEEN, (c) => (/\s/.test(c) ? ' ' : ''))
    .replace(/…\s*$/, '')
    .normalize('NFKC')
    .replace(/。/g, '.')
    .trim();
  const schemed = /^(?:https?:\/*|\/\/)(?:[^/?#\s]*@)?([^/?#\s:]+)/i.exec(text);
  const bare = /^((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?::\d+)?(?:[/?#]\S*)?$/u.exec(text);
  const named = schemed?.[1] ?? bare?.[1];
  if (!named || !named.includes('.')) return null;
  if (!schemed && !/^www\./i.test(named) && !/[/?#]/.test(text) && NO_HOST.test(named)) return null;
  try {
    return new URL(`https://${named}`).hostname;
  } catch {
    return null;
  }
}

const bareHost = (host: string): string => host.replace(/^(?:www\d?|m|mobile|amp)\./, '').replace(/\.$/, '');

/** Returns whether the hosts are equal or one is a subdomain of the other: "docs.example.org" for "example.org" is not deceptive. */
function isRelated(claimed: string, real: string): boolean {
  const [one, other] = [bareHost(claimed), bareHost(real)];
  return one === other || other.endsWith(`.${one}`) || (one.endsWith(`.${other}`) && other.includes('.'));
}

/** Describes a link with this address (as resolved by the browser) and text. Returns `null` if it leads nowhere. */
export function describeLink(address: string, words = ''): LinkDescription | null {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  const refused = OPENED.has(url.protocol) ? null : url.protocol.slice(0, -1);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { address, before: '', host: '', after: cut(readable(address)), refused, reasons: [] };
  const reasons: Suspicion[] = [];
  const claimed = claimedHost(words);
  if (claimed && !isRelated(claimed, url.hostname)) reasons.push({ kind: 'claims', host: shownHost(claimed).text });
  const user = [url.username, url.password].filter(Boolean).join(':');
  if (user) reasons.push({ kind: 'user', user: cut(readable(user)) });
  const { text: host, wire } = shownHost(url.hostname);
  if (wire) reasons.push({ kind: 'look' });
  const port = url.port ? `:${url.port}` : '';
  const after = cut(readable(port + url.pathname + url.search + url.hash));
  return {
    address,
    before: `${url.protocol}//${user ? `${cut(readable(user))}@` : ''}`,
    host: seen(host),
    after: after === '/' ? '' : after,
    refused,
    reasons,
  };
}

/** Returns the page's suspicious links by address. */
export function suspiciousLinksOf(page: ParentNode): Map<string, LinkDescription> {
  const found = new Map<string, LinkDescription>();
  for (const anchor of page.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    if (!/^https?:/.test(anchor.href) || anchor.getAttribute('href')?.startsWith('#')) continue;
    const link = describeLink(anchor.href, anchor.textContent ?? '');
    if (link && link.reasons.length > 0) found.set(link.address, link);
  }
  return found;
}
