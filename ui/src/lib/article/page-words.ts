/** The words of the window on an article's page. */
import type { Article, Participant } from '../ipc';
import { currentLanguage, inLine, number as formatNumber, t, withoutIsolates, type PlainKey } from '../messages';
import { fullDate, listParts, readingTime } from '../messages/format';
import { escapeHtml, type ListLine, type PageWords } from './article-page';
import { enclosureText } from './enclosure-text';

/** Returns the place of an episode in its podcast. */
function episodeText({ season, season_name, episode, episode_display }: Article): string {
  const number = episode === null ? '' : formatNumber(episode);
  if (season_name || episode_display)
    return inLine([
      season_name || (season === null ? '' : t('article.season', { season })),
      episode_display || (number ? t('article.episode', { episode: number }) : ''),
    ]);
  if (season !== null && number) return t('article.season_episode', { season, episode: number });
  return number ? t('article.episode', { episode: number }) : '';
}

const ROLES: ReadonlyMap<string, PlainKey> = new Map([
  ['host', 'participant.host'],
  ['co-host', 'participant.co_host'],
  ['guest', 'participant.guest'],
]);

/** Returns a participant's name with their role in the recording. */
function participantText({ name, role }: Participant): string {
  if (!role) return name;
  const key = ROLES.get(role);
  return t('participant.role', { name, role: key ? t(key) : role });
}

/** Returns the line of a message around a list. */
const line =
  (key: 'article.also_in' | 'article.categories' | 'credit.participants' | 'credit.source' | 'credit.via'): ListLine =>
  (parts) => {
    const [before = '', after = ''] = withoutIsolates(t(key, { list: '\n' })).split('\n');
    const list = listParts(
      parts.map(({ text }) => text),
      (at) => parts[at]?.html ?? '',
      escapeHtml,
    );
    return escapeHtml(before) + list + escapeHtml(after);
  };

const byline = (of: Article): string =>
  inLine([
    of.author ? t('article.by', { author: of.author }) : '',
    episodeText(of),
    of.published === null ? '' : fullDate(of.published),
    of.reading_minutes > 1 && of.html ? readingTime(of.reading_minutes, 'long') : '',
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
  alsoIn: line('article.also_in'),
  attachments: t('article.attachments'),
  source: line('credit.source'),
  participants: line('credit.participants'),
  participant: participantText,
  via: line('credit.via'),
  categories: line('article.categories'),
  fullText: [t('full_text.offer.once'), t('full_text.offer.always'), t('full_text.offer.never')],
  untitled: t('list.untitled'),
  openSite: t('article.empty.link'),
  enclosure: enclosureText,
  zoom: (alt) => (alt ? t('page.zoom.named', { alt }) : t('page.zoom')),
  copyCode: t('page.copy_code'),
  play: (title) => t('player.play_this', { title }),
  watch: (service) => t('page.watch', { service }),
  note: (sign) => t('page.note', { sign }),
  goTo: t('page.note.go'),
});
