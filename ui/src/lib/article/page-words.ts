/** The words of the window on an article's page. */
import type { Article } from '../ipc';
import { currentLanguage, inLine, t } from '../messages';
import { fullDate } from '../messages/format';
import type { PageWords } from './article-page';
import { enclosureText } from './enclosure-text';

const byline = (of: Article): string =>
  inLine([
    of.author ? t('article.by', { author: of.author }) : '',
    of.published === null ? '' : fullDate(of.published),
    of.reading_minutes > 0 && of.html ? t('article.minutes', { count: of.reading_minutes }) : '',
    of.updated !== null && of.published !== null && of.updated > of.published + 60_000
      ? t('article.updated', { date: fullDate(of.updated) })
      : '',
    of.versions[0] === undefined ? '' : t('changes.changed', { date: fullDate(of.versions[0]) }),
  ]);

export const pageWords = (article: Article): PageWords => ({
  direction: currentLanguage().direction,
  byline: byline(article),
  empty: t('article.empty'),
  comments: article.comments_count
    ? t('article.comments_count', { count: article.comments_count })
    : t('article.comments'),
  alsoIn: t('article.also_in'),
  attachments: t('article.attachments'),
  source: t('credit.source'),
  via: t('credit.via'),
  categories: t('article.categories'),
  fullText: [t('full_text.offer.once'), t('full_text.offer.always'), t('full_text.offer.never')],
  untitled: t('list.untitled'),
  openSite: t('article.empty.link'),
  enclosure: enclosureText,
  zoom: (alt) => (alt ? t('page.zoom.named', { alt }) : t('page.zoom')),
  copyCode: t('page.copy_code'),
  watch: (service) => t('page.watch', { service }),
  note: (sign) => t('page.note', { sign }),
  goTo: t('page.note.go'),
});
