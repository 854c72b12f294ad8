/** How the fake's feeds are reached. As in the core, what is secret goes in and never out. */
import type { AcceptCertificate, Certificate, Feed, FeedAccess, Reach, SetAccess } from '../generated';
import { fail } from './library';

const DAY = 86_400_000;

/** A certificate that is not good; words in the host choose why. */
export function badCertificate(url: string): Certificate {
  const { hostname: host } = new URL(url);
  const own = host.includes('self-signed');
  const now = Date.now();
  return {
    host,
    fingerprint: Array.from({ length: 32 }, (_, i) =>
      ((i * 37 + host.length) % 256).toString(16).toUpperCase().padStart(2, '0'),
    ).join(':'),
    subject: `CN=${host}`,
    issuer: own ? `CN=${host}` : 'C=US, O=Example Trust, CN=Example R10',
    names: [host],
    not_before: now - 110 * DAY,
    not_after: own ? now + 3000 * DAY : now - 20 * DAY,
    faults: own ? ['self_signed'] : ['expired'],
  };
}

type Known = Omit<FeedAccess, 'feed_id' | 'origin'>;

const USUAL: Known = {
  former_origin: null,
  login: 'none',
  user_name: null,
  kept: null,
  user_agent: null,
  proxy: null,
  headers: [],
  certificate: null,
};

export class FakeAccess {
  private known = new Map<number, Known>();

  constructor(private readonly hasKeyring: boolean) {}

  of(feed: Feed): FeedAccess {
    return { ...(this.known.get(feed.id) ?? USUAL), feed_id: feed.id, origin: new URL(feed.url).origin };
  }

  set(feed: Feed, wish: SetAccess): () => void {
    const before = this.known.get(feed.id) ?? USUAL;
    if (wish.proxy && wish.proxy !== 'direct' && !/^(https?|socks[45][ah]?):\/\/[^\s]+$/.test(wish.proxy))
      throw fail('bad_access', 'a proxy is “direct” for none, or an address such as socks5://127.0.0.1:9050');
    const login = this.login(wish.login, wish.in_library);
    return this.keep(feed, {
      ...before,
      ...login,
      user_agent: wish.user_agent || null,
      proxy: wish.proxy || null,
      headers: wish.headers.map((header) => header.name),
    });
  }

  accept(feed: Feed, { fingerprint }: AcceptCertificate): () => void {
    return this.keep(feed, { ...(this.known.get(feed.id) ?? USUAL), certificate: fingerprint });
  }

  /** Checks first, so that nothing is subscribed to where the secret cannot be kept. */
  check(reach: Reach | null): void {
    if (reach) this.login(reach.login, reach.in_library);
  }

  found(feed: Feed, reach: Reach): void {
    this.keep(feed, { ...USUAL, ...this.login(reach.login, reach.in_library), certificate: reach.certificate });
  }

  private login(login: SetAccess['login'], inLibrary: boolean): Partial<Known> {
    if (login === null) return {};
    if (login.kind === 'none') return { login: 'none', user_name: null, kept: null };
    if (!this.hasKeyring && !inLibrary)
      throw fail('no_keyring', 'this computer’s keyring cannot be used (no session bus)');
    return {
      login: login.kind,
      user_name: login.kind === 'basic' ? login.user : null,
      kept: inLibrary ? 'library' : 'keyring',
    };
  }

  private keep(feed: Feed, now: Known): () => void {
    const before = this.known.get(feed.id);
    this.known.set(feed.id, now);
    return () => {
      if (before) this.known.set(feed.id, before);
      else this.known.delete(feed.id);
    };
  }
}
