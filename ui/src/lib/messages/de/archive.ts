import type { archive as english } from '../en/archive';
import type { Part } from '../languages';

/** German for what goes out of the library as an archive or as documents, and for archives that come in. Part of `words`. */
export const archive: Part<'de', typeof english> = {
  'menu.export_everything': 'Alles exportieren…',
  'archive.done': {
    one: '{count} Artikel nach {path} geschrieben',
    other: '{count} Artikel nach {path} geschrieben',
  },
  'archive.no_secrets': 'Passwörter, Token und Kopfzeilen sind nicht darin. Was darin ist, sagt README.txt.',
  'archive.label': 'Export',
  'archive.progress': 'Artikel {done} von {total} wird geschrieben',
  'archive.writing': '{file} wird geschrieben',
  'archive.cancel': 'Export abbrechen',
  'archive.stopped': 'Export abgebrochen; nichts wurde geschrieben',
  'archive.articles': 'Artikel {done} von {total} wird übernommen',
  'archive.added': { one: '{count} Artikel hinzugefügt', other: '{count} Artikel hinzugefügt' },
  'archive.there': { one: '{count} Artikel war schon da', other: '{count} Artikel waren schon da' },
  'archive.feeds_there': { one: '{count} Feed war schon da', other: '{count} Feeds waren schon da' },
  'archive.marked': {
    one: '{count} Artikel markiert, wie er es war',
    other: '{count} Artikel markiert, wie sie es waren',
  },
  'archive.rules': { one: '{count} Regel hinzugefügt', other: '{count} Regeln hinzugefügt' },
  'archive.searches': {
    one: '{count} gespeicherte Suche hinzugefügt',
    other: '{count} gespeicherte Suchen hinzugefügt',
  },
  'archive.pictures': { one: '{count} Bild hinzugefügt', other: '{count} Bilder hinzugefügt' },
  'archive.left_out': { one: 'Insgesamt {count} Eintrag ausgelassen', other: 'Insgesamt {count} Einträge ausgelassen' },
  'archive.access':
    'Passwörter, Token und Kopfzeilen sind in keinem Archiv: Feeds, die danach fragen, brauchen sie noch einmal, unter „Über diesen Feed“.',

  'save.markdown': 'Als Markdown sichern…',
  'save.html': 'Als HTML sichern…',
  'save.epub': 'Als EPUB sichern…',
  'save.results': 'Ergebnisse sichern',
  'save.results.markdown': 'Alle als Markdown sichern…',
  'save.results.html': 'Alle als HTML sichern…',
  'save.results.epub': 'Alle als EPUB sichern…',
};
