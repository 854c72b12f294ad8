/** How feeds are reached, their certificates and their history, in words. */
import type { BackfillProgress, Certificate, FeedAccess } from '../ipc';
import { commas, longDate, moment } from './format';
import { t } from './index';

/** Names in a list would be too many on some certificates. */
const NAMED = 3;

/** What is wrong with a certificate, a sentence each. */
export function faultTexts(certificate: Certificate): string[] {
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
              names: commas(names.length > NAMED ? [...names.slice(0, NAMED), '…'] : names),
              host,
            });
      case 'self_signed':
        return t('certificate.self_signed');
      case 'untrusted':
        return t('certificate.untrusted');
    }
  });
}

/** A fingerprint in groups of four bytes, to be compared by eye: "3A:0F:11:22". */
export function fingerprintGroups(fingerprint: string): string[] {
  const bytes = fingerprint.split(':');
  return Array.from({ length: Math.ceil(bytes.length / 4) }, (_, i) => bytes.slice(4 * i, 4 * i + 4).join(':'));
}

/** What is out of the ordinary about how a feed is reached: name and lines. The accepted certificate is told apart. */
export function accessFacts(access: FeedAccess): { name: string; lines: string[] }[] {
  const facts: { name: string; lines: string[] }[] = [];
  const only = t('reach.only', { origin: access.origin });
  if (access.login !== 'none') {
    const token = access.login === 'bearer';
    const as = token ? t('reach.login.bearer.as') : t('reach.login.basic.as', { user: access.user_name ?? '' });
    const library = access.kept === 'library';
    const kept = token
      ? t(library ? 'reach.kept.token.library' : 'reach.kept.token.keyring')
      : t(library ? 'reach.kept.password.library' : 'reach.kept.password.keyring');
    facts.push({ name: t('reach.login'), lines: [`${as}; ${kept}`, only] });
  }
  if (access.headers.length > 0) facts.push({ name: t('reach.headers'), lines: [commas(access.headers), only] });
  if (access.user_agent !== null) facts.push({ name: t('reach.agent'), lines: [access.user_agent] });
  if (access.proxy !== null)
    facts.push({
      name: t('reach.proxy'),
      lines: [access.proxy === 'direct' ? t('reach.proxy.direct') : access.proxy],
    });
  return facts;
}

/** "3 pages read, 42 older articles". */
export function soFarText({ pages, articles }: Pick<BackfillProgress, 'pages' | 'articles'>): string {
  if (pages === 0) return t('older.starting');
  return t('older.so_far', {
    pages: t('older.pages', { count: pages }),
    articles: articles === 0 ? t('older.no_articles') : t('older.articles', { count: articles }),
  });
}

/** What came of it, and why it ended; `null` while it runs. */
export function endText(progress: BackfillProgress, now: number): string | null {
  const { ended, pages } = progress;
  if (ended === null) return null;
  const why = () => {
    switch (ended.kind) {
      case 'wait':
        return t('older.wait', { when: moment(ended.until, now) });
      case 'failed':
        return t('older.failed', { what: ended.message.replace(/\.$/, '') });
      default:
        return t(`older.${ended.kind}`);
    }
  };
  return pages === 0 || ended.kind === 'nothing_offered' ? why() : `${soFarText(progress)}. ${why()}`;
}
