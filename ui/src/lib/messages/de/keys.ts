import type { keys as english } from '../en/keys';
import type { Part } from '../languages';

/** German for keys, their presets, and the command palette. Part of `words`. */
export const keys: Part<'de', typeof english> = {
  'key.first': 'Erster Artikel',
  'key.last': 'Letzter Artikel',
  'key.copy_link': 'Link kopieren',
  'key.next_feed': 'Nächster Feed',
  'key.previous_feed': 'Vorheriger Feed',
  'key.palette': 'Alles tun und finden',

  'palette.field': 'Eine Aktion, ein Feed, ein Ordner, ein Schlagwort…',
  'palette.offers': 'Was sich tun lässt',
  'palette.feed': 'Feed',
  'palette.folder': 'Ordner',
  'palette.tag': 'Schlagwort',
  'palette.search': 'Gespeicherte Suche',
  'palette.search_for': 'Nach „{query}“ suchen',

  'keys.preset': 'Tasten wie in',
  'keys.preset.gleaner': 'Gleaner',
  'keys.preset.vim': 'Vim und newsboat',
  'keys.preset.net_news_wire': 'NetNewsWire',
  'keys.preset.reader': 'Feedly und Google Reader',
  'keys.preset.done': 'Die Tasten sind nun wie in {preset}; eigene Änderungen sind fort',
  'keys.reset': 'Eigene Änderungen zurücknehmen',
  'keys.reset.done': 'Alle Tasten sind wieder wie in {preset}',
  'keys.none': 'keine Taste',
  'keys.change': 'Tasten von „{name}“ ändern',
  'keys.changing': 'Tasten von „{name}“',
  'keys.press': 'Die neuen Tasten drücken',
  'keys.pressed': 'Eingabe fügt sie hinzu, Rücktaste beginnt von vorn, Escape bricht ab.',
  'keys.clash': 'Bisher: {name}. Dort fallen sie weg.',
  'keys.remove': '{keys} entfernen',
  'keys.fixed': '{keys} heißt immer „{name}“. Andere wählen.',
  'keys.plain': 'Diese Taste wird beim Schreiben gedrückt: Sie braucht Strg oder Alt.',
  'keys.add': 'Hinzufügen',
  'keys.own': 'geändert',
};
