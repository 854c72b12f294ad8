import type { ahead as english } from '../en/ahead';
import type { Part } from '../languages';

/** German for what is fetched ahead: full texts and pictures. Part of `words`. */
export const ahead: Part<'de', typeof english> = {
  'ahead.title': 'Lesen ohne Netz',
  'ahead.what':
    'Volltexte kommen von den Seiten der Artikel, Bilder von dort, wo die Artikel sie haben: rücksichtsvoll, nach dem Aktualisieren, bei jedem Server eine Anfrage nach der anderen.',
  'ahead.starred.text': 'Volltext von Artikeln mit Stern laden',
  'ahead.starred.pictures': 'Bilder von Artikeln mit Stern laden',
  'ahead.all.text': 'Volltext neuer Artikel laden',
  'ahead.all.pictures': 'Bilder neuer Artikel laden',
  'ahead.all.hint':
    'Gilt für alle Feeds; für Feeds und Ordner lässt sich in ihren eigenen Einstellungen etwas anderes bestimmen.',
  'ahead.paused': 'Vorausladen anhalten',
  'ahead.paused.hint': 'Für langsame oder teure Netze.',
  'ahead.room': 'Platz für Bilder',
  'ahead.room.hint':
    'Ist er voll, weichen Bilder gelesener Artikel, die ältesten zuerst; die von Artikeln mit Stern bleiben.',
  'ahead.largest': 'Größtes Bild',
  'ahead.now': 'Jetzt laden',
  'ahead.stop': 'Anhalten',
  'ahead.label': 'Vorausladen',
  'ahead.nothing_kept': 'Noch ist nichts vorausgeladen.',
  'ahead.kept': 'Vorhanden: {texts} und {pictures}, {size}.',
  'ahead.texts': { one: '{count} Volltext', other: '{count} Volltexte' },
  'ahead.pictures': { one: '{count} Bild', other: '{count} Bilder' },
  'ahead.waiting': {
    one: '{count} Text oder Bild ist noch zu laden.',
    other: '{count} Texte und Bilder sind noch zu laden.',
  },
  'ahead.failed': {
    one: '{count} Text oder Bild konnte nicht geladen werden.',
    other: '{count} Texte und Bilder konnten nicht geladen werden.',
  },
  'ahead.so_far': 'Wird geladen: bisher {texts} und {pictures}.',
  'ahead.offline': 'Dieser Rechner ist offline: Der Rest wird geladen, sobald er wieder verbunden ist.',
  'ahead.elsewhere':
    'Ein anderes Gleaner aktualisiert gerade diese Bibliothek; dieses hier lädt, sobald das andere fertig ist.',

  'ahead.feed': 'Lesen ohne Netz',
  'ahead.feed.fetch': 'Vorausladen',
  'ahead.feed.none': 'Nichts',
  'ahead.feed.text': 'Volltext',
  'ahead.feed.pictures': 'Bilder',
  'ahead.feed.both': 'Volltext und Bilder',
  'ahead.feed.hint': 'Von neuen Artikeln und von den neuesten fünfzig ungelesenen, die schon da sind.',
  'ahead.feed.first': 'Artikel mit ihrem Volltext öffnen',
  'ahead.feed.first.hint': 'Wo er da ist; „Volltext“ lädt ihn für einen einzelnen Artikel.',

  'full_text.show': 'Volltext',
  'full_text.feed': 'Text des Feeds',
  'full_text.fetching': 'Volltext wird geladen…',
  'full_text.stop': 'Anhalten',
  'full_text.failed': 'Der Volltext ist nicht gekommen',
  'full_text.ahead_failed': 'Der Volltext konnte nicht vorausgeladen werden; dies ist der Text des Feeds.',
  'full_text.again': 'Noch einmal versuchen',
  'full_text.dismiss': 'Schließen',
  'key.full_text': 'Volltext oder Text des Feeds',

  'error.no_full_text': 'Die Seite gibt keinen Volltext her.',
  'error.no_full_text.do': 'Im Browser öffnen, um den Artikel dort zu lesen.',
  'error.no_full_text.no_page': 'Der Feed nennt keine Seite zu diesem Artikel.',
  'error.no_full_text.no_page.do': 'Mehr als der Text des Feeds ist nicht zu haben.',
  'error.no_full_text.not_a_page': 'Dort liegt keine Webseite.',
  'error.no_full_text.no_article':
    'Auf der Seite wurde kein Artikel gefunden: Vielleicht braucht sie ein Skript oder eine Anmeldung.',
  'error.no_full_text.less':
    'Die Seite zeigt weniger als der Feed: Vielleicht braucht sie ein Skript oder eine Anmeldung.',
};
