import type { list as english } from '../en/list';
import type { Part } from '../languages';

/** German for the list of articles: its orders, its headers, how it is drawn, and many chosen at once. Part of `words`. */
export const list: Part<'de', typeof english> = {
  'list.view': 'Darstellung der Liste',
  'list.order.newest': 'Neueste zuerst',
  'list.order.oldest': 'Älteste zuerst',
  'list.order.by_feed': 'Feed für Feed',
  'list.order.rare_first': 'Seltene Feeds zuerst',
  'list.order.longest': 'Längste zuerst',
  'list.order.shortest': 'Kürzeste zuerst',
  'list.group.none': 'Keine Überschriften',
  'list.group.day': 'Überschrift für jeden Tag',
  'list.group.feed': 'Überschrift für jeden Feed',
  'list.river': 'Fluss: Stelle merken, nichts zählen',
  'list.updated': 'Geändert, seit er kam',

  'layout.panes': 'Drei Bereiche',
  'layout.magazine': 'Magazin',
  'layout.compact': 'Je eine Zeile',
  'layout.zen': 'Nur lesen',
  'layout.zen.leave': '„Nur lesen“ verlassen',

  'pick.bar': 'Ausgewählte Artikel',
  'pick.count': { one: '{count} ausgewählt', other: '{count} ausgewählt' },
  'pick.act': '{what} ({count})',
  'pick.tags': { one: 'Schlagwörter von {count} Artikel', other: 'Schlagwörter von {count} Artikeln' },
  'pick.read': 'Als gelesen markieren',
  'pick.unread': 'Als ungelesen markieren',
  'pick.star': 'Stern geben',
  'pick.unstar': 'Stern entfernen',
  'pick.hide': 'Ausblenden',
  'pick.unhide': 'Wieder in Listen zeigen',
  'pick.links': 'Links kopieren',
  'pick.save': 'Als ein Dokument sichern',
  'pick.none': 'Nichts auswählen',
  'pick.hid': { one: '{count} Artikel ausgeblendet', other: '{count} Artikel ausgeblendet' },
  'pick.unhid': {
    one: '{count} Artikel ist wieder in seinen Listen',
    other: '{count} Artikel sind wieder in ihren Listen',
  },
  'pick.copied': { one: '{count} Link kopiert', other: '{count} Links kopiert' },
  'pick.no_links': 'Keiner dieser Artikel nennt eine Adresse.',

  'key.pick': 'Artikel auswählen oder abwählen',
  'key.pick_all': 'Alle Artikel auswählen oder keinen',
  'key.new_ones': 'Neue Artikel zeigen',
  'key.list_layout': 'Liste anders darstellen',
  'key.zen': 'Nur lesen oder wieder mit Liste',

  'settings.thumbnails': 'Kleine Bilder in Listen',
  'settings.thumbnails.hint': 'Die aus dem Web nur, wo Bilder aus dem Web geladen werden; vorausgeladene immer.',
  'settings.read_on_scroll': 'Artikel beim Vorbeiscrollen als gelesen markieren',
  'settings.read_on_scroll.hint': 'Nur, woran von Hand vorbeigescrollt wird. „Rückgängig“ nimmt es zurück.',
};
