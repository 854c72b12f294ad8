/** What can be done about a feed, in words. */
import type { Feed, Remedy } from '../ipc';
import { errorText } from './errors';
import { mediumDate, monthDate } from './format';
import { isFile } from '../web-address';
import { t } from './index';

export type RemedyText = { readonly what: string; readonly hint: string };

/** Where the feed is at home: its site, else the host of its address; a file has none but itself. */
export const siteOf = (feed: Pick<Feed, 'url' | 'home_url'>): string =>
  feed.home_url ?? (isFile(feed) ? feed.url : new URL(feed.url).origin);

/** What happened, and what its buttons do. */
export function remedyText(feed: Pick<Feed, 'url' | 'home_url' | 'trouble'>, remedy: Remedy): RemedyText {
  const detail = feed.trouble?.error.detail?.trim() ?? '';
  switch (remedy.kind) {
    case 'follow':
      return {
        what: t('remedy.follow', { to: remedy.to }),
        hint: t('remedy.follow.hint', { count: remedy.answers }),
      };
    case 'merge':
      return {
        what: t('remedy.merge', { title: remedy.title }),
        hint: t('remedy.merge.hint', { title: remedy.title }),
      };
    case 'switch':
      return {
        what: remedy.title ? t('remedy.switch.for', { title: remedy.title }) : t('remedy.switch'),
        hint: t('remedy.switch.hint', { to: remedy.to }),
      };
    case 'parked':
      return { what: t('remedy.parked'), hint: t('remedy.parked.hint', { host: new URL(feed.url).host }) };
    case 'gone':
      return { what: t('remedy.gone'), hint: t('remedy.gone.hint') };
    case 'not_a_feed':
      return {
        what: detail ? t('remedy.not_a_feed.for', { detail }) : t('remedy.not_a_feed'),
        hint: t('remedy.not_a_feed.hint', { host: new URL(siteOf(feed)).host }),
      };
    case 'certificate':
      return {
        what: detail ? t('remedy.certificate.for', { detail }) : t('remedy.certificate'),
        hint: t('remedy.certificate.hint', { host: new URL(feed.url).host }),
      };
    case 'attention':
      return {
        what: feed.trouble
          ? t('remedy.attention.for', { date: mediumDate(feed.trouble.since) })
          : t('remedy.attention'),
        hint: t('remedy.attention.hint', { what: feed.trouble ? errorText(feed.trouble.error).what : '' }).trim(),
      };
    case 'silent':
      return { what: t('remedy.silent', { date: monthDate(remedy.since) }), hint: t('remedy.silent.hint') };
    case 'moved':
      return { what: t('remedy.moved', { from: remedy.from }), hint: t('remedy.moved.hint') };
  }
}

/** Remedies whose words tell the trouble as well: it need not be told twice. */
const TELLING: ReadonlySet<Remedy['kind']> = new Set<Remedy['kind']>([
  'parked',
  'gone',
  'not_a_feed',
  'certificate',
  'attention',
]);

export const tellsTrouble = (remedies: readonly Remedy[]): boolean => remedies.some(({ kind }) => TELLING.has(kind));
