/** A login form before it is sent. */
import type { FeedConnection, Login, LoginKind } from './ipc';

export type LoginDraft = { kind: LoginKind; user: string; secret: string };

/** The stored login; an unchanged draft changes nothing. */
export type KnownLogin = Pick<FeedConnection, 'login' | 'user_name' | 'secret_store'>;

export const NO_LOGIN: KnownLogin = { login: 'none', user_name: null, secret_store: null };

export const draftOf = (known: KnownLogin): LoginDraft => ({
  kind: known.login,
  user: known.user_name ?? '',
  secret: '',
});

/** Returns whether the stored secret applies to this draft: another user name needs its own password. */
export const keepsSecret = (draft: LoginDraft, known: KnownLogin): boolean =>
  known.secret_store !== null &&
  draft.kind === known.login &&
  (draft.kind !== 'basic' || draft.user.trim() === known.user_name);

/** Returns the first missing field. */
export function missing(draft: LoginDraft, known: KnownLogin): 'user' | 'secret' | null {
  if (draft.kind === 'none') return null;
  if (draft.kind === 'basic' && draft.user.trim() === '') return 'user';
  return draft.secret === '' && !keepsSecret(draft, known) ? 'secret' : null;
}

/** Returns the login to send; `null` keeps the stored one. */
export function loginOf(draft: LoginDraft, known: KnownLogin): Login | null {
  if (draft.kind === 'none') return known.login === 'none' ? null : { kind: 'none' };
  if (draft.secret === '') return null;
  return draft.kind === 'basic'
    ? { kind: 'basic', user: draft.user.trim(), password: draft.secret }
    : { kind: 'bearer', token: draft.secret };
}
