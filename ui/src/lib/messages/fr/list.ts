import type { list as english } from '../en/list';
import type { Part } from '../languages';

/** French for the list of articles: its orders, its headers, how it is drawn, and many chosen at once. Part of `words`. */
export const list: Part<'fr', typeof english> = {
  'list.view': 'Présentation de la liste',
  'list.order.newest': 'Les plus récents d’abord',
  'list.order.oldest': 'Les plus anciens d’abord',
  'list.order.by_feed': 'Flux par flux',
  'list.order.rare_first': 'Flux rares d’abord',
  'list.order.longest': 'Les plus longs d’abord',
  'list.order.shortest': 'Les plus courts d’abord',
  'list.group.none': 'Sans intertitres',
  'list.group.day': 'Un intertitre par jour',
  'list.group.feed': 'Un intertitre par flux',
  'list.river': 'Au fil de l’eau : garder la place, ne rien compter',
  'list.updated': 'Modifié depuis son arrivée',

  'layout.panes': 'Trois volets',
  'layout.magazine': 'Magazine',
  'layout.compact': 'Une ligne chacun',
  'layout.zen': 'Article seul',
  'layout.zen.leave': 'Ne plus afficher l’article seul',

  'pick.bar': 'Articles sélectionnés',
  'pick.count': { one: '{count} sélectionné', many: '{count} sélectionnés', other: '{count} sélectionnés' },
  'pick.act': '{what} ({count})',
  'pick.tags': {
    one: 'Étiquettes de {count} article',
    many: 'Étiquettes de {count} d’articles',
    other: 'Étiquettes de {count} articles',
  },
  'pick.read': 'Marquer comme lus',
  'pick.unread': 'Marquer comme non lus',
  'pick.star': 'Marquer d’une étoile',
  'pick.unstar': 'Retirer l’étoile',
  'pick.hide': 'Masquer',
  'pick.unhide': 'Remettre dans les listes',
  'pick.links': 'Copier les liens',
  'pick.save': 'Enregistrer en un seul document',
  'pick.none': 'Ne rien sélectionner',
  'pick.hid': { one: '{count} article masqué', many: '{count} d’articles masqués', other: '{count} articles masqués' },
  'pick.unhid': {
    one: '{count} article est de retour dans ses listes',
    many: '{count} d’articles sont de retour dans leurs listes',
    other: '{count} articles sont de retour dans leurs listes',
  },
  'pick.copied': { one: '{count} lien copié', many: '{count} de liens copiés', other: '{count} liens copiés' },
  'pick.no_links': 'Aucun de ces articles n’indique d’adresse.',

  'key.pick': 'Sélectionner l’article, ou le désélectionner',
  'key.pick_all': 'Sélectionner tous les articles, ou aucun',
  'key.new_ones': 'Afficher les nouveaux articles',
  'key.list_layout': 'Présenter la liste autrement',
  'key.zen': 'L’article seul, ou de nouveau la liste',

  'settings.thumbnails': 'Petites images dans les listes',
  'settings.thumbnails.hint':
    'Celles du web seulement là où les images du web sont chargées ; celles qui sont conservées, toujours.',
  'settings.read_on_scroll': 'Marquer les articles comme lus en les faisant défiler',
  'settings.read_on_scroll.hint': 'Seulement ceux que l’on fait défiler soi-même. « Annuler » revient en arrière.',
};
