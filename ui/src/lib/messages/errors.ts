/** What went wrong and what to do, in the catalogue's words. */
import type { ErrorCode, IpcError } from '../ipc';
import { t, type MessageKey } from './index';

type Words = { readonly what: MessageKey; readonly whatFor?: MessageKey; readonly remedy: MessageKey };

/** `whatFor` is used where the error names a detail. */
export const ERROR_WORDS: Record<ErrorCode, Words> = {
  invalid_address: { what: 'error.invalid_address', remedy: 'error.invalid_address.do' },
  no_feed: { what: 'error.no_feed', remedy: 'error.no_feed.do' },
  not_a_feed: { what: 'error.not_a_feed', whatFor: 'error.not_a_feed.for', remedy: 'error.not_a_feed.do' },
  parked: { what: 'error.parked', whatFor: 'error.parked.for', remedy: 'error.parked.do' },
  host_not_found: {
    what: 'error.host_not_found',
    whatFor: 'error.host_not_found.for',
    remedy: 'error.host_not_found.do',
  },
  host_unreachable: {
    what: 'error.host_unreachable',
    whatFor: 'error.host_unreachable.for',
    remedy: 'error.host_unreachable.do',
  },
  tls: { what: 'error.tls', whatFor: 'error.tls.for', remedy: 'error.tls.do' },
  secret: { what: 'error.secret', remedy: 'error.secret.do' },
  no_keyring: { what: 'error.no_keyring', remedy: 'error.no_keyring.do' },
  bad_access: { what: 'error.bad_access', whatFor: 'error.bad_access.for', remedy: 'error.bad_access.do' },
  proxy: { what: 'error.proxy', remedy: 'error.proxy.do' },
  timeout: { what: 'error.timeout', remedy: 'error.timeout.do' },
  http_status: { what: 'error.http_status', whatFor: 'error.http_status.for', remedy: 'error.http_status.do' },
  too_large: { what: 'error.too_large', remedy: 'error.too_large.do' },
  broken_answer: { what: 'error.broken_answer', remedy: 'error.broken_answer.do' },
  offline: { what: 'error.offline', remedy: 'error.offline.do' },
  asked_to_wait: { what: 'error.asked_to_wait', whatFor: 'error.asked_to_wait.for', remedy: 'error.asked_to_wait.do' },
  already_subscribed: { what: 'error.already_subscribed', remedy: 'error.already_subscribed.do' },
  not_opml: { what: 'error.not_opml', whatFor: 'error.not_opml.for', remedy: 'error.not_opml.do' },
  file: { what: 'error.file', whatFor: 'error.file.for', remedy: 'error.file.do' },
  no_full_text: { what: 'error.no_full_text', remedy: 'error.no_full_text.do' },
  not_found: { what: 'error.not_found', remedy: 'error.not_found.do' },
  invalid_input: { what: 'error.invalid_input', remedy: 'error.invalid_input.do' },
  busy: { what: 'error.busy', remedy: 'error.busy.do' },
  library_read_only: { what: 'error.library_read_only', remedy: 'error.library_read_only.do' },
  library_newer: { what: 'error.library_newer', remedy: 'error.library_newer.do' },
  library_damaged: { what: 'error.library_damaged', remedy: 'error.library_damaged.do' },
  disk_full: { what: 'error.disk_full', remedy: 'error.disk_full.do' },
  internal: { what: 'error.internal', remedy: 'error.internal.do' },
};

/** Statuses that deserve their own words: the publisher meant something by them. */
const STATUS_WORDS: Record<string, Words> = {
  '401': { what: 'error.status.login', remedy: 'error.status.login.do' },
  '403': { what: 'error.status.forbidden', remedy: 'error.status.forbidden.do' },
  '404': { what: 'error.status.not_found', remedy: 'error.status.not_found.do' },
  '410': { what: 'error.status.gone', remedy: 'error.status.gone.do' },
  '429': { what: 'error.status.too_many', remedy: 'error.status.too_many.do' },
};

/** Why a page gives no full text. */
const NO_TEXT_WORDS: Record<string, Words> = {
  no_page: { what: 'error.no_full_text.no_page', remedy: 'error.no_full_text.no_page.do' },
  not_a_page: { what: 'error.no_full_text.not_a_page', remedy: 'error.no_full_text.do' },
  no_article: { what: 'error.no_full_text.no_article', remedy: 'error.no_full_text.do' },
  less: { what: 'error.no_full_text.less', remedy: 'error.no_full_text.do' },
};

export type ErrorText = { readonly what: string; readonly remedy: string; readonly details: string };

/** The sentences for an error. An unknown code (a newer core) reads as `internal`. */
export function errorText(error: IpcError): ErrorText {
  const detail = error.detail?.trim() ?? '';
  const status = error.code === 'http_status' ? (STATUS_WORDS[detail] ?? STATUS_WORDS[detail.slice(0, 3)]) : undefined;
  const noText = error.code === 'no_full_text' ? NO_TEXT_WORDS[detail] : undefined;
  const words = status ?? noText ?? ERROR_WORDS[error.code] ?? ERROR_WORDS.internal;
  const named = detail !== '' && words.whatFor !== undefined;
  const say = t as (key: MessageKey, params: Record<string, string>) => string;
  return {
    what: say(named ? words.whatFor! : words.what, { detail }),
    remedy: t(words.remedy as 'error.internal.do'),
    details: error.message,
  };
}
