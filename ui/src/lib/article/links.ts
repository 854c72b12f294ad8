/**
 * What is to be said of a link before anybody follows it: where it leads, for eyes that others try to deceive. Pure.
 */
import { shownHost } from './hosts';

/** Why a link is asked about before the browser opens it. */
export type Doubt =
  /** Its words name another host. */
  | { readonly kind: 'claims'; readonly host: string }
  /** What stands before an `@` is no host, however it looks. */
  | { readonly kind: 'user'; readonly user: string }
  /** Letters of its host look like others. */
  | { readonly kind: 'look' };

export type ToldLink = {
  /** As the browser would get it. */
  readonly address: string;
  /** All of it, in three parts: before the host, the host, and after it. */
  readonly before: string;
  readonly host: string;
  readonly after: string;
  /** No browser is started for it; this is its scheme. */
  readonly refused: string | null;
  readonly doubts: readonly Doubt[];
};

/** The door (`links.rs`) opens no others. */
const OPENED = new Set(['http:', 'https:', 'mailto:']);

/** Characters of what comes after the host; who wants all of it copies the address. */
const AFTER = 200;

/** What has no shape of its own, or turns the order of what stands around it. */
const UNSEEN =
  /\p{Cc}|\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|\p{Z}|\p{Variation_Selector}|\u115f|\u1160|\u17b4|\u17b5|\u2800|\u3164|\uffa0|\u034f/gu;

/** Text with everything in it to be seen: `\u{202E}` for what would turn the order of letters. */
export function seen(text: string): string {
  return text.replace(UNSEEN, (c) => {
    const code = c.codePointAt(0) as number;
    return c === ' ' ? c : `\\u{${code.toString(16).toUpperCase().padStart(4, '0')}}`;
  });
}

/** Letters instead of percent signs, where they are letters; all else stays as it goes over the wire. */
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

/** Endings that words have as well as hosts: "Node.js" claims nothing. */
const NO_HOST =
  /\.(?:js|ts|rs|py|md|sh|pl|cc|so|zip|mov|txt|html?|php|css|json|xml|pdf|png|jpe?g|gif|mp[34])$|^(?:asp|vb|ado|ml)\.net$/i;

/** The host that the words of a link name, where they are an address and nothing else. */
export function claimedHost(words: string): string | null {
  // What cannot be seen was put there to be overlooked by programs, and full-width dots and slashes to be taken for others.
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

/** Whether one is the other or a part of it: "docs.example.org" for "example.org" deceives nobody. */
function akin(claimed: string, real: string): boolean {
  const [one, other] = [bareHost(claimed), bareHost(real)];
  return one === other || other.endsWith(`.${one}`) || (one.endsWith(`.${other}`) && other.includes('.'));
}

/** What to say of a link with this address, as the browser understood it, and these words. Null where it leads nowhere. */
export function tellLink(address: string, words = ''): ToldLink | null {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  const refused = OPENED.has(url.protocol) ? null : url.protocol.slice(0, -1);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { address, before: '', host: '', after: cut(readable(address)), refused, doubts: [] };
  const doubts: Doubt[] = [];
  const claimed = claimedHost(words);
  if (claimed && !akin(claimed, url.hostname)) doubts.push({ kind: 'claims', host: shownHost(claimed).text });
  const user = [url.username, url.password].filter(Boolean).join(':');
  if (user) doubts.push({ kind: 'user', user: cut(readable(user)) });
  const { text: host, wire } = shownHost(url.hostname);
  if (wire) doubts.push({ kind: 'look' });
  const port = url.port ? `:${url.port}` : '';
  const after = cut(readable(port + url.pathname + url.search + url.hash));
  return {
    address,
    before: `${url.protocol}//${user ? `${cut(readable(user))}@` : ''}`,
    host: seen(host),
    after: after === '/' ? '' : after,
    refused,
    doubts,
  };
}

/** What links of a page are asked about before they are opened: by their addresses. */
export function doubtfulLinks(page: ParentNode): Map<string, ToldLink> {
  const found = new Map<string, ToldLink>();
  for (const anchor of page.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    if (!/^https?:/.test(anchor.href) || anchor.getAttribute('href')?.startsWith('#')) continue;
    const told = tellLink(anchor.href, anchor.textContent ?? '');
    if (told && told.doubts.length > 0) found.set(told.address, told);
  }
  return found;
}
