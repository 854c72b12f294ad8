/** A login as it is filled in, before it is sent. */
import type { FeedAccess, Login, LoginKind } from './ipc';

export type LoginDraft = { kind: LoginKind; user: string; secret: string };

/** What is there; a draft that is left as it is changes nothing. */
export type KnownLogin = Pick<FeedAccess, 'login' | 'user_name' | 'kept'>;

export const NO_LOGIN: KnownLogin = { login: 'none', user_name: null, kept: null };

export const draftOf = (known: KnownLogin): LoginDraft => ({
  kind: known.login,
  user: known.user_name ?? '',
  secret: '',
});

/** Whether the secret that is kept is good for this draft: another name needs its own password. */
export const keepsSecret = (draft: LoginDraft, known: KnownLogin): boolean =>
  known.kept !== null &&
  draft.kind === known.login &&
  (draft.kind !== 'basic' || draft.user.trim() === known.user_name);

/** What is missing, first things first. */
export function missing(draft: LoginDraft, known: KnownLogin): 'user' | 'secret' | null {
  if (draft.kind === 'none') return null;
  if (draft.kind === 'basic' && draft.user.trim() === '') return 'user';
  return draft.secret === '' && !keepsSecret(draft, known) ? 'secret' : null;
}

/** What is to be sent of a draft from which nothing is missing; `null`: as before. */
export function loginOf(draft: LoginDraft, known: KnownLogin): Login | null {
  if (draft.kind === 'none') return known.login === 'none' ? null : { kind: 'none' };
  if (draft.secret === '') return null;
  return draft.kind === 'basic'
    ? { kind: 'basic', user: draft.user.trim(), password: draft.secret }
    : { kind: 'bearer', token: draft.secret };
}
