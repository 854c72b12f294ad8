/** What the fake finds behind addresses: words in the address choose the answer. */
import type { Discovered, Reach, StarterSubject } from '../generated';
import { badCertificate } from './access';
import { fail, type FakeLibrary } from './library';
import { TITLES } from './words';

const ERRORS = [
  ['no-feed', 'no_feed', null],
  ['missing', 'host_not_found', 'missing.example'],
  ['down', 'host_unreachable', 'down.example'],
  ['tls', 'tls', 'it is signed by nobody this machine knows'],
  ['slow', 'timeout', null],
  ['404', 'http_status', '404'],
  ['500', 'http_status', '500'],
  ['huge', 'too_large', null],
  ['cut', 'broken_answer', null],
  ['offline', 'offline', null],
] as const;

export function discover(address: string, reach: Reach | null, library: FakeLibrary): Discovered {
  const trimmed = address.trim();
  if (!/^(https?:\/\/)?[^\s.]+\.[^\s]+$/.test(trimmed)) throw fail('invalid_address');
  for (const [word, code, detail] of ERRORS) if (trimmed.includes(word)) throw fail(code, detail);
  const base = trimmed.startsWith('http') ? trimmed : `https://${trimmed}`;
  const { origin, host } = new URL(base);
  if (/self-signed|expired/.test(host) && reach?.certificate !== badCertificate(base).fingerprint)
    return { kind: 'certificate', origin, certificate: badCertificate(base) };
  const secret =
    reach?.login?.kind === 'basic' ? reach.login.password : reach?.login?.kind === 'bearer' && reach.login.token;
  if (host.includes('private') && secret !== 'sesame') return { kind: 'login', origin, refused: Boolean(secret) };
  const latest = [0, 1, 2].map((i) => ({
    title: TITLES[(host.length + i) % TITLES.length] as string,
    published: Date.now() - i * 7e7,
  }));
  const known = library.feeds.find((feed) => new URL(feed.url).host === host);
  return {
    kind: 'feeds',
    candidates: [
      {
        url: `${origin}/feed.xml`,
        title: `${host}`,
        kind: 'Atom 1.0',
        description: 'Everything that is published here.',
        home_url: origin,
        latest,
        subscribed: known?.id ?? null,
      },
      {
        url: `${origin}/comments.xml`,
        title: `${host}: Comments`,
        kind: 'RSS 2.0',
        description: null,
        home_url: origin,
        latest: latest.slice(0, 1),
        subscribed: null,
      },
      {
        url: `${origin}/all.json`,
        title: `${host} (JSON)`,
        kind: null,
        description: null,
        home_url: origin,
        latest: [],
        subscribed: null,
      },
    ],
  };
}

const subject = (name: string, ...feeds: [string, string, string][]): StarterSubject => ({
  name,
  feeds: feeds.map(([title, host, description]) => ({
    title,
    url: `https://${host}/feed.xml`,
    home_url: `https://${host}/`,
    description,
  })),
});

export const STARTERS: StarterSubject[] = [
  subject(
    'Technology',
    ['Ferrous Notes', 'ferrous-start.example', 'A language and those who make it'],
    ['Kernel Weekly', 'kw-start.example', 'What happens in the kernel, in depth'],
    ['Small Web', 'small-start.example', 'Pages made by hand'],
  ),
  subject(
    'Science',
    ['Deep Field', 'df-start.example', 'A picture of the sky a day'],
    ['Tidal Pools', 'tp-start.example', 'The sea, closely'],
  ),
  subject(
    'News',
    ['The Morning Ledger', 'ml-start.example', 'The world at breakfast'],
    ['Harbour Post', 'hp-start.example', 'Ships, trade and weather'],
  ),
  subject(
    'Culture',
    ['Type & Paper', 'ty-start.example', 'Letters and what they are printed on'],
    ['Small Panels', 'sp-start.example', 'A comic each week'],
    ['Ninety Degrees', 'nd-start.example', 'A podcast on buildings'],
  ),
];
