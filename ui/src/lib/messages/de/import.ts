import type { imports as english } from '../en/import';
import type { Part } from '../languages';

/** German for what comes from other readers besides lists of feeds. Part of `words`. */
export const imports: Part<'de', typeof english> = {
  'import.ended': '{file} wurde importiert',
  'import.ended.failed': '{file} konnte nicht importiert werden',
  'import.show': 'Zeigen',
  'import.taking': { one: '{count} Artikel gelesen', other: '{count} Artikel gelesen' },
  'import.articles': { one: '{count} Artikel', other: '{count} Artikel' },
  'import.starred': { one: '{count} davon mit Stern', other: '{count} davon mit Stern' },
  'import.known': {
    one: '{count} Artikel war schon hier; er behielt seinen Text und bekam die Markierungen von dort dazu.',
    other: '{count} Artikel waren schon hier; sie behielten ihren Text und bekamen die Markierungen von dort dazu.',
  },
  'import.unasked': {
    one: '{count} weiterer Feed kam mit seinen Artikeln. Er wird nicht von selbst aktualisiert: Nichts deutete darauf hin, dass er abonniert ist.',
    other:
      '{count} weitere Feeds kamen mit ihren Artikeln. Sie werden nicht von selbst aktualisiert: Nichts deutete darauf hin, dass sie abonniert sind.',
  },
};
