import type { preferences as english } from '../en/preferences';
import type { Part } from '../languages';

/** German for what is wished of a feed or folder. Part of `words`. */
export const preferences: Part<'de', typeof english> = {
  'prefs.title': 'Einstellungen von {title}',
  'prefs.menu': 'Einstellungen…',
  'prefs.hint': 'Was hier nicht bestimmt ist, gilt wie im Ordner oder wie für alle Feeds.',
  'prefs.asking': 'Abrufen',
  'prefs.images': 'Bilder aus dem Netz',
  'prefs.images.show': 'Zeigen',
  'prefs.images.hide': 'Nicht zeigen',
  'prefs.images.done': 'Bilder von {title} werden gezeigt',
  'prefs.yes': 'Ja',
  'prefs.no': 'Nein',
  'prefs.notify': 'Neue Artikel auf dem Desktop melden',
  'prefs.notify.hint':
    'Eine Meldung je Abruf, mit den neuesten Titeln. Was eine Regel als gelesen markiert oder ausblendet, wird nicht gemeldet.',
  'key.preferences': 'Einstellungen eines Feeds oder Ordners',
  'article.always_pictures_feed': 'Bei diesem Feed immer',
};
