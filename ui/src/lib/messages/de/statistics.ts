import type { statistics as english } from '../en/statistics';
import type { Part } from '../languages';

/** German for what was read, and what can be proposed. Part of `words`. */
export const statistics: Part<'de', typeof english> = {
  'key.statistics': 'Lesestatistik',
  'statistics.menu': 'Lesestatistik…',
  'statistics.title': 'Lesestatistik',
  'statistics.local':
    'Auf diesem Rechner gezählt, nur für den eigenen Gebrauch. Nichts davon wird irgendwohin gesendet.',
  'statistics.loading': 'Wird gezählt…',
  'statistics.span': 'Zeitraum',
  'statistics.span.days': { one: 'Der letzte Tag', other: 'Die letzten {count} Tage' },
  'statistics.since':
    'Ein Artikel zählt, wenn er geöffnet wird; ihn als gelesen zu markieren zählt nicht. Gleaner zählt seit {date}.',
  'statistics.not_yet':
    'Noch wurde nichts gezählt. Ein Artikel zählt, wenn er geöffnet wird; ihn als gelesen zu markieren zählt nicht.',
  'statistics.sum': {
    one: '{count} Artikel im gezeigten Zeitraum geöffnet.',
    other: '{count} Artikel im gezeigten Zeitraum geöffnet.',
  },
  'statistics.days': 'Artikel nach Tagen',
  'statistics.weeks': 'Artikel nach Wochen',
  'statistics.hours': 'Stunden des Tages',
  'statistics.hours.text': 'Am meisten gelesen wird gegen {hour}.',
  'statistics.feeds': 'Am meisten gelesen',
  'statistics.feed.opened': {
    one: '{count} von {all} gekommenen geöffnet',
    other: '{count} von {all} gekommenen geöffnet',
  },
  'statistics.proposals': 'Was sich ändern ließe',
  'statistics.proposals.none': 'Von jedem Feed, der etwas bringt, wird etwas gelesen. Es gibt nichts vorzuschlagen.',
  'statistics.unread': {
    one: '{count} Artikel kam und wurde nicht geöffnet.',
    other: '{count} Artikel kamen, keiner wurde geöffnet.',
  },
  'statistics.noisy': {
    one: 'Etwa {count} Artikel am Tag; {share} davon bleiben ungelesen.',
    other: 'Etwa {count} Artikel am Tag; {share} davon bleiben ungelesen.',
  },
  'statistics.silent': 'Nichts Neues seit {date}.',
  'statistics.actions': 'Was sich mit {title} tun lässt',
  'statistics.unsubscribe': 'Abo beenden',
  'statistics.fewer': { one: 'Nur den neuesten Artikel behalten', other: 'Nur die neuesten {count} behalten' },
  'statistics.mark_read': 'Neue als gelesen markieren',
  'statistics.mark_read.rule': '„{title}“ als gelesen markieren',
  'statistics.move': 'Verschieben…',
  'statistics.inspect': 'Untersuchen',
};
