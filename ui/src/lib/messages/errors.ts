/** Messages for error codes: what failed and what the user can do. */
import type { ErrorCode, IpcError } from '../ipc';
import { t, type MessageKey } from './index';

type Keys = { readonly what: MessageKey; readonly whatFor?: MessageKey; readonly advice: MessageKey };

/** `whatFor` is used for an error with a detail. */
export const ERROR_KEYS: Record<ErrorCode, Keys> = {
  invalid_address: { what: 'error.invalid_address', advice: 'error.invalid_address.do' },
  no_feed: { what: 'error.no_feed', advice: 'error.no_feed.do' },
  not_a_feed: { what: 'error.not_a_feed', whatFor: 'error.not_a_feed.for', advice: 'error.not_a_feed.do' },
  parked: { what: 'error.parked', whatFor: 'error.parked.for', advice: 'error.parked.do' },
  host_not_found: {
    what: 'error.host_not_found',
    whatFor: 'error.host_not_found.for',
    advice: 'error.host_not_found.do',
  },
  host_unreachable: {
    what: 'error.host_unreachable',
    whatFor: 'error.host_unreachable.for',
    advice: 'error.host_unreachable.do',
  },
  tls: { what: 'error.tls', whatFor: 'error.tls.for', advice: 'error.tls.do' },
  unreadable_secret: { what: 'error.unreadable_secret', advice: 'error.unreadable_secret.do' },
  no_keyring: { what: 'error.no_keyring', advice: 'error.no_keyring.do' },
  invalid_connection: {
    what: 'error.invalid_connection',
    whatFor: 'error.invalid_connection.for',
    advice: 'error.invalid_connection.do',
  },
  proxy: { what: 'error.proxy', advice: 'error.proxy.do' },
  timeout: { what: 'error.timeout', advice: 'error.timeout.do' },
  http_status: { what: 'error.http_status', whatFor: 'error.http_status.for', advice: 'error.http_status.do' },
  too_large: { what: 'error.too_large', advice: 'error.too_large.do' },
  invalid_response: { what: 'error.invalid_response', advice: 'error.invalid_response.do' },
  offline: { what: 'error.offline', advice: 'error.offline.do' },
  retry_after: { what: 'error.retry_after', whatFor: 'error.retry_after.for', advice: 'error.retry_after.do' },
  already_subscribed: { what: 'error.already_subscribed', advice: 'error.already_subscribed.do' },
  not_opml: { what: 'error.not_opml', whatFor: 'error.not_opml.for', advice: 'error.not_opml.do' },
  file: { what: 'error.file', whatFor: 'error.file.for', advice: 'error.file.do' },
  no_full_text: { what: 'error.no_full_text', advice: 'error.no_full_text.do' },
  not_found: { what: 'error.not_found', advice: 'error.not_found.do' },
  invalid_input: { what: 'error.invalid_input', advice: 'error.invalid_input.do' },
  busy: { what: 'error.busy', advice: 'error.busy.do' },
  library_read_only: { what: 'error.library_read_only', advice: 'error.library_read_only.do' },
  library_newer: { what: 'error.library_newer', advice: 'error.library_newer.do' },
  library_damaged: { what: 'error.library_damaged', advice: 'error.library_damaged.do' },
  disk_full: { what: 'error.disk_full', advice: 'error.disk_full.do' },
  internal: { what: 'error.internal', advice: 'error.internal.do' },
};

/** HTTP statuses with a message of their own. */
const STATUS_KEYS: Record<string, Keys> = {
  '401': { what: 'error.status.login', advice: 'error.status.login.do' },
  '403': { what: 'error.status.forbidden', advice: 'error.status.forbidden.do' },
  '404': { what: 'error.status.not_found', advice: 'error.status.not_found.do' },
  '410': { what: 'error.status.gone', advice: 'error.status.gone.do' },
  '429': { what: 'error.status.too_many', advice: 'error.status.too_many.do' },
};

/** Reasons why no full text was found. */
const NO_TEXT_KEYS: Record<string, Keys> = {
  no_page: { what: 'error.no_full_text.no_page', advice: 'error.no_full_text.no_page.do' },
  not_a_page: { what: 'error.no_full_text.not_a_page', advice: 'error.no_full_text.do' },
  no_article: { what: 'error.no_full_text.no_article', advice: 'error.no_full_text.do' },
  less: { what: 'error.no_full_text.less', advice: 'error.no_full_text.do' },
};

export type ErrorText = { readonly what: string; readonly advice: string; readonly details: string };

/** Returns the messages for an error. An unknown code counts as `internal`. */
export function errorText(error: IpcError): ErrorText {
  const detail = error.detail?.trim() ?? '';
  const status = error.code === 'http_status' ? (STATUS_KEYS[detail] ?? STATUS_KEYS[detail.slice(0, 3)]) : undefined;
  const noText = error.code === 'no_full_text' ? NO_TEXT_KEYS[detail] : undefined;
  const keys = status ?? noText ?? ERROR_KEYS[error.code] ?? ERROR_KEYS.internal;
  const named = detail !== '' && keys.whatFor !== undefined;
  const translate = t as (key: MessageKey, params: Record<string, string>) => string;
  return {
    what: translate(named ? keys.whatFor! : keys.what, { detail }),
    advice: t(keys.advice as 'error.internal.do'),
    details: error.message,
  };
}
