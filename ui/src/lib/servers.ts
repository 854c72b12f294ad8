/** Facts about feed reader servers that forms need. */
import type { ErrorCode } from './ipc';

const WITHOUT_TLS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'not_tls',
  'tls_failed',
  'tls_incompatible',
  'connection_refused',
  'connection_reset',
  'connection_failed',
]);

/**
 * Returns whether a server may have failed because it has no TLS: no scheme was entered, so https was tried. A password
 * is sent without encryption only if the user enters http.
 */
export const mayLackTls = (code: ErrorCode, address: string): boolean =>
  WITHOUT_TLS.has(code) && !address.includes('://');

/** Whether an address, with or without a scheme, is of Inoreader, which wants the keys of an app. */
export function isInoreader(address: string): boolean {
  const entered = address.trim();
  try {
    const { hostname } = new URL(entered.includes('://') ? entered : `https://${entered}`);
    return /(^|\.)inoreader\.com$/.test(hostname);
  } catch {
    return false;
  }
}
