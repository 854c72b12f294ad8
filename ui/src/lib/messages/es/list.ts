import type { list as english } from '../en/list';
import type { Part } from '../languages';

/** Spanish for the list of articles: its orders, its headers, how it is drawn, and many chosen at once. Part of `words`. */
export const list: Part<'es', typeof english> = {
  'list.view': 'Cómo se muestra la lista',
  'list.order.newest': 'Más recientes primero',
  'list.order.oldest': 'Más antiguos primero',
  'list.order.by_feed': 'Feed por feed',
  'list.order.rare_first': 'Primero los que menos publican',
  'list.order.longest': 'Más largos primero',
  'list.order.shortest': 'Más cortos primero',
  'list.group.none': 'Sin encabezados',
  'list.group.day': 'Un encabezado por día',
  'list.group.feed': 'Un encabezado por feed',
  'list.river': 'Río: mantener la posición, sin contar nada',
  'list.updated': 'Cambió desde que llegó',

  'layout.panes': 'Tres paneles',
  'layout.magazine': 'Revista',
  'layout.compact': 'Una línea por artículo',
  'layout.zen': 'Solo el artículo',
  'layout.zen.leave': 'Volver a mostrar la lista',

  'pick.bar': 'Artículos seleccionados',
  'pick.count': { one: '{count} seleccionado', many: '{count} seleccionados', other: '{count} seleccionados' },
  'pick.act': '{what} ({count})',
  'pick.tags': {
    one: 'Etiquetas de {count} artículo',
    many: 'Etiquetas de {count} de artículos',
    other: 'Etiquetas de {count} artículos',
  },
  'pick.read': 'Marcar como leído',
  'pick.unread': 'Marcar como sin leer',
  'pick.star': 'Destacar',
  'pick.unstar': 'Quitar de destacados',
  'pick.hide': 'Ocultar',
  'pick.unhide': 'Volver a mostrar en las listas',
  'pick.links': 'Copiar enlaces',
  'pick.save': 'Guardar como un solo documento',
  'pick.none': 'Anular la selección',
  'pick.hid': {
    one: '{count} artículo oculto',
    many: '{count} de artículos ocultos',
    other: '{count} artículos ocultos',
  },
  'pick.unhid': {
    one: '{count} artículo está de vuelta en sus listas',
    many: '{count} de artículos están de vuelta en sus listas',
    other: '{count} artículos están de vuelta en sus listas',
  },
  'pick.copied': {
    one: '{count} enlace copiado',
    many: '{count} de enlaces copiados',
    other: '{count} enlaces copiados',
  },
  'pick.no_links': 'Ninguno de estos artículos da una dirección.',

  'key.pick': 'Seleccionar el artículo, o soltarlo',
  'key.pick_all': 'Seleccionar todos los artículos, o ninguno',
  'key.new_ones': 'Mostrar artículos nuevos',
  'key.list_layout': 'Mostrar la lista de otra manera',
  'key.zen': 'Solo el artículo, o de nuevo la lista',

  'settings.thumbnails': 'Imágenes pequeñas en las listas',
  'settings.thumbnails.hint': 'Las de la web, solo donde se cargan imágenes de la web; las conservadas, siempre.',
  'settings.read_on_scroll': 'Marcar los artículos como leídos al pasar de largo',
  'settings.read_on_scroll.hint': 'Solo los que se pasan a mano. «Deshacer» lo revierte.',
};
