import type { page as english } from '../en/page';
import type { Part } from '../languages';

/** German for the page of an article: pictures shown large, notes that pop up, finding, copying, reading aloud. Part of `words`. */
export const page: Part<'de', typeof english> = {
  'key.browser_behind': 'Im Browser öffnen und hier bleiben',
  'key.copy_titled_link': 'Link mit Titel kopieren',
  'key.copy_markdown': 'Als Markdown kopieren',
  'key.zoom': 'Bild groß zeigen',
  'key.find': 'Im Artikel suchen',
  'key.find_next': 'Nächster Treffer im Artikel',
  'key.find_previous': 'Vorheriger Treffer im Artikel',
  'key.read_aloud': 'Vorlesen oder aufhören',

  'page.box': 'Breiter Teil, lässt sich seitwärts scrollen',
  'page.note': 'Anmerkung {sign}',
  'page.note.go': 'Zur Anmerkung',

  'page.zoom': 'Das Bild groß zeigen',
  'page.zoom.named': 'Groß zeigen: {alt}',
  'zoom.title': 'Bild',
  'zoom.place': 'Bild {place} von {count}',
  'zoom.previous': 'Vorheriges Bild',
  'zoom.next': 'Nächstes Bild',
  'zoom.in': 'Größer',
  'zoom.out': 'Kleiner',
  'zoom.fit': 'An das Fenster anpassen',
  'zoom.full': 'In eigener Größe',
  'zoom.percent': '{percent} %',
  'zoom.failed': 'Dieses Bild konnte nicht geladen werden.',
  'zoom.none': 'In diesem Artikel ist kein Bild, das sich groß zeigen lässt',

  'find.bar': 'Im Artikel suchen',
  'find.field': 'Im Artikel suchen',
  'find.next': 'Nächster Treffer',
  'find.previous': 'Vorheriger Treffer',
  'find.close': 'Suche beenden',
  'find.none': 'Nicht gefunden',
  'find.place': '{place} von {count}',
  'find.place.more': '{place} von mehr als {count}',

  'copy.markdown.done': 'Der Artikel ist als Markdown in der Zwischenablage',
  'copy.markdown.failed': 'Der Artikel konnte nicht kopiert werden',

  'aloud.pause': 'Pause',
  'aloud.resume': 'Weiter',
  'aloud.stop': 'Anhalten',
  'aloud.bar': 'Vorlesen',
};
