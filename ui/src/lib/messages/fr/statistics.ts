import type { statistics as english } from '../en/statistics';
import type { Part } from '../languages';

/** French for what was read, and what can be proposed. Part of `words`. */
export const statistics: Part<'fr', typeof english> = {
  'key.statistics': 'Vos lectures',
  'statistics.menu': 'Vos lectures…',
  'statistics.title': 'Vos lectures',
  'statistics.local': 'Compté sur cet ordinateur, pour vous seul. Rien n’en est envoyé nulle part.',
  'statistics.loading': 'Décompte…',
  'statistics.span': 'Période',
  'statistics.span.days': {
    one: 'Le dernier jour',
    many: 'Les {count} derniers jours',
    other: 'Les {count} derniers jours',
  },
  'statistics.since':
    'Un article compte quand il est ouvert ; le marquer comme lu ne compte pas. Gleaner compte depuis le {date}.',
  'statistics.not_yet':
    'Rien n’a encore été compté. Un article compte quand il est ouvert ; le marquer comme lu ne compte pas.',
  'statistics.sum': {
    one: '{count} article ouvert pendant la période affichée.',
    many: '{count} d’articles ouverts pendant la période affichée.',
    other: '{count} articles ouverts pendant la période affichée.',
  },
  'statistics.days': 'Articles par jour',
  'statistics.weeks': 'Articles par semaine',
  'statistics.hours': 'Heures de la journée',
  'statistics.hours.text': 'Le moment où vous lisez le plus : vers {hour}.',
  'statistics.feeds': 'Ce que vous lisez le plus',
  'statistics.feed.opened': {
    one: '{count} ouvert sur {all} arrivés',
    many: '{count} ouverts sur {all} arrivés',
    other: '{count} ouverts sur {all} arrivés',
  },
  'statistics.proposals': 'Ce qui pourrait changer',
  'statistics.proposals.none': 'Vous lisez quelque chose de chaque flux qui publie. Il n’y a rien à proposer.',
  'statistics.unread': {
    one: '{count} article est arrivé, et n’a pas été ouvert.',
    many: '{count} d’articles sont arrivés, et aucun n’a été ouvert.',
    other: '{count} articles sont arrivés, et aucun n’a été ouvert.',
  },
  'statistics.noisy': {
    one: 'Environ {count} article par jour ; {share} restent non lus.',
    many: 'Environ {count} d’articles par jour ; {share} restent non lus.',
    other: 'Environ {count} articles par jour ; {share} restent non lus.',
  },
  'statistics.silent': 'Rien de nouveau depuis le {date}.',
  'statistics.actions': 'Que faire de {title}',
  'statistics.unsubscribe': 'Se désabonner',
  'statistics.fewer': {
    one: 'Ne conserver que l’article le plus récent',
    many: 'Ne conserver que les {count} plus récents',
    other: 'Ne conserver que les {count} plus récents',
  },
  'statistics.mark_read': 'Marquer les nouveaux comme lus',
  'statistics.mark_read.rule': 'Marquer « {title} » comme lu',
  'statistics.move': 'Déplacer…',
  'statistics.inspect': 'Examiner',
};
