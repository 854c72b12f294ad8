/** Messages about a feed's connection settings and certificate. */
import type { Certificate, FeedConnection } from '../ipc';
import { commas, longDate } from './format';
import { t } from './index';

/** Maximum number of host names shown: some certificates have hundreds. */
const MAX_NAMES = 3;

/** Returns the problems of a certificate, one sentence each. */
export function certificateProblems(certificate: Certificate): string[] {
  const { host, names, not_before: begin, not_after: end } = certificate;
  return certificate.faults.map((fault) => {
    switch (fault) {
      case 'expired':
        return t('certificate.expired', { date: end === null ? '?' : longDate(end) });
      case 'not_yet_valid':
        return t('certificate.not_yet_valid', { date: begin === null ? '?' : longDate(begin) });
      case 'wrong_name':
        return names.length === 0
          ? t('certificate.wrong_name.none', { host })
          : t('certificate.wrong_name', {
              names: commas(names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), '…'] : names),
              host,
            });
      case 'self_signed':
        return t('certificate.self_signed');
      case 'untrusted':
        return t('certificate.untrusted');
    }
  });
}

/** Splits a fingerprint into groups of four bytes ("3A:0F:11:22"), easier to compare by eye. */
export function fingerprintGroups(fingerprint: string): string[] {
  const bytes = fingerprint.split(':');
  return Array.from({ length: Math.ceil(bytes.length / 4) }, (_, i) => bytes.slice(4 * i, 4 * i + 4).join(':'));
}

/** Returns the connection settings that differ from the default, except for the accepted certificate. */
export function connectionFacts(access: FeedConnection): { name: string; lines: string[] }[] {
  const facts: { name: string; lines: string[] }[] = [];
  const only = t('connection.only', { origin: access.origin });
  if (access.login !== 'none') {
    const token = access.login === 'bearer';
    const login = token
      ? t('connection.login.bearer.as')
      : t('connection.login.basic.as', { user: access.user_name ?? '' });
    const library = access.secret_store === 'library';
    const storage = token
      ? t(library ? 'connection.stored.token.library' : 'connection.stored.token.keyring')
      : t(library ? 'connection.stored.password.library' : 'connection.stored.password.keyring');
    facts.push({ name: t('connection.login'), lines: [login, storage, only] });
  }
  if (access.headers.length > 0) facts.push({ name: t('connection.headers'), lines: [commas(access.headers), only] });
  if (access.user_agent !== null) facts.push({ name: t('connection.agent'), lines: [access.user_agent] });
  if (access.proxy !== null)
    facts.push({
      name: t('connection.proxy'),
      lines: [access.proxy === 'direct' ? t('connection.proxy.direct') : access.proxy],
    });
  return facts;
}
