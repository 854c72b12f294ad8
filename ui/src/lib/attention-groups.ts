/** Groups failing feeds by the cause of their errors. The cause comes from the stored code, never from its words. */
import type { ErrorCode, Feed } from './ipc';
import { compareNames } from './messages/format';

/** In the order in which they are shown: the most urgent first. */
const CAUSES = [
  'not_found',
  'not_a_feed',
  'moved',
  'login',
  'certificate',
  'unreachable',
  'server',
  'other',
  'offline',
] as const;
type Cause = (typeof CAUSES)[number];

export type FailingGroup = { readonly cause: Cause; readonly feeds: readonly Feed[] };

export const CODES: Partial<Record<ErrorCode, Cause>> = {
  http_not_found: 'not_found',
  gone: 'not_found',
  parked: 'not_found',
  no_feed: 'not_found',
  feed_moved: 'moved',
  invalid_address: 'moved',
  address_missing: 'moved',
  address_with_spaces: 'moved',
  address_without_site: 'moved',
  unsupported_scheme: 'moved',
  redirect_to_unsupported_scheme: 'moved',
  invalid_redirect: 'moved',
  redirect_loop: 'moved',
  too_many_redirects: 'moved',
  redirect_to_other_site: 'moved',
  redirect_to_private_address: 'moved',
  private_address: 'moved',
  unauthorized: 'login',
  login_refused: 'login',
  secret_unreadable: 'login',
  secret_gone: 'login',
  no_keyring: 'login',
  not_tls: 'certificate',
  tls_incompatible: 'certificate',
  tls_failed: 'certificate',
  tls_setup_failed: 'certificate',
  offline: 'offline',
  host_not_found: 'unreachable',
  lookup_failed: 'unreachable',
  proxy_not_found: 'unreachable',
  invalid_proxy: 'unreachable',
  proxy_refused: 'unreachable',
  proxy_failed: 'unreachable',
  connection_refused: 'unreachable',
  host_unreachable: 'unreachable',
  connection_failed: 'unreachable',
  connection_reset: 'unreachable',
  connection_lost: 'unreachable',
  timeout: 'unreachable',
  incomplete_response: 'unreachable',
  http_status: 'server',
  forbidden: 'server',
  too_many_requests: 'server',
  retry_after: 'server',
  retry_after_until: 'server',
  too_large: 'server',
  damaged_compression: 'server',
  invalid_response: 'server',
  invalid_header: 'server',
};

export function causeOf(code: ErrorCode): Cause {
  const known = CODES[code];
  if (known) return known;
  if (code.startsWith('not_a_feed')) return 'not_a_feed';
  if (code.startsWith('certificate_')) return 'certificate';
  return 'other';
}

/** Returns the groups of feeds that fail, without empty ones; feeds by title. */
export function groupsOf(feeds: readonly Feed[]): FailingGroup[] {
  const byTitle = feeds.toSorted((a, b) => compareNames(a.title, b.title));
  const isOf = (cause: Cause) => (feed: Feed) => feed.error !== null && causeOf(feed.error.error.code) === cause;
  return CAUSES.map((cause) => ({ cause, feeds: byTitle.filter(isOf(cause)) })).filter(
    (group) => group.feeds.length > 0,
  );
}
