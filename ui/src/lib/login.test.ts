import { describe, expect, it } from 'vitest';
import { draftOf, keepsSecret, loginOf, missing, NO_LOGIN, type KnownLogin } from './login';

const ada: KnownLogin = { login: 'basic', user_name: 'ada', secret_store: 'keyring' };

describe('login form', () => {
  it('changes nothing if it is unchanged', () => {
    for (const known of [NO_LOGIN, ada, { login: 'bearer', user_name: null, secret_store: 'library' } as const]) {
      const draft = draftOf(known);
      expect(draft.secret).toBe('');
      expect(missing(draft, known)).toBeNull();
      expect(loginOf(draft, known)).toBeNull();
    }
  });

  it('needs a user name and its own password', () => {
    const draft = { kind: 'basic', user: ' ', secret: '' } as const;
    expect(missing(draft, NO_LOGIN)).toBe('user');
    expect(missing({ ...draft, user: 'ada' }, NO_LOGIN)).toBe('secret');
    expect(missing({ ...draft, user: 'grace' }, ada), 'another name, another password').toBe('secret');
    expect(keepsSecret({ ...draft, user: 'ada' }, ada)).toBe(true);
    expect(missing({ kind: 'bearer', user: '', secret: '' }, ada)).toBe('secret');
  });

  it('is sent as typed, and removed with "none"', () => {
    expect(loginOf({ kind: 'basic', user: ' ada ', secret: ' sesame ' }, NO_LOGIN)).toEqual({
      kind: 'basic',
      user: 'ada',
      password: ' sesame ',
    });
    expect(loginOf({ kind: 'bearer', user: 'ada', secret: 't' }, ada)).toEqual({ kind: 'bearer', token: 't' });
    expect(loginOf({ kind: 'none', user: 'ada', secret: 't' }, ada)).toEqual({ kind: 'none' });
  });
});
