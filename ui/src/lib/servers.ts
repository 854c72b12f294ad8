/** Facts about servers that forms need. */
import type { ErrorCode, IpcError, ShareKind } from './ipc';
import { t } from './messages';
import { errorText, type ErrorText } from './messages/errors';

const WITHOUT_TLS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'not_tls',
  'tls_failed',
  'tls_incompatible',
  'connection_refused',
  'connection_reset',
  'connection_failed',
]);

/**
 * Returns the message for a server that may have failed because it has no TLS: no scheme was entered, so https was tried.
 * A password is sent without encryption only if the user enters http.
 */
export function withoutTls(error: IpcError, address: string): ErrorText | undefined {
  if (!WITHOUT_TLS.has(error.code) || address.includes('://')) return undefined;
  return { what: errorText(error).what, advice: t('accounts.without_tls', { address: `http://${address}` }) };
}

const WITH_TOKEN: ReadonlySet<ShareKind> = new Set<ShareKind>(['readwise', 'linkding', 'karakeep', 'webhook']);

/** Returns the message for a service that refuses its token: it has no user name and no password. */
export function refusedToken(error: IpcError, kind: ShareKind): ErrorText | undefined {
  if (error.code !== 'server_login' || !WITH_TOKEN.has(kind)) return undefined;
  return { what: t('sharing.token.refused'), advice: t('sharing.token.check') };
}

/** Whether an address, with or without a scheme, is of Inoreader, which requires the keys of an app. */
export function isInoreader(address: string): boolean {
  const entered = address.trim();
  try {
    const { hostname } = new URL(entered.includes('://') ? entered : `https://${entered}`);
    return /(^|\.)inoreader\.com$/.test(hostname);
  } catch {
    return false;
  }
}

/** Whether two addresses, with or without a scheme, belong to the same server, so that a secret for one may be sent to the other. */
export function isSameServer(one: string, other: string): boolean {
  const origin = (entered: string) => {
    const whole = entered.includes('://') ? entered.trim() : `https://${entered.trim()}`;
    return URL.canParse(whole) ? new URL(whole).origin : entered;
  };
  return origin(one) === origin(other);
}
