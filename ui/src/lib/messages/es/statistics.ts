import type { statistics as english } from '../en/statistics';
import type { Part } from '../languages';

/** Spanish for what was read, and what can be proposed. Part of `words`. */
export const statistics: Part<'es', typeof english> = {
  'key.statistics': 'Estadísticas de lectura',
  'statistics.menu': 'Estadísticas de lectura…',
  'statistics.title': 'Estadísticas de lectura',
  'statistics.local': 'Se cuenta en este equipo, solo para quien lee. Nada de esto se envía a ninguna parte.',
  'statistics.loading': 'Contando…',
  'statistics.span': 'Tiempo',
  'statistics.span.days': {
    one: 'El último día',
    many: 'Los últimos {count} de días',
    other: 'Los últimos {count} días',
  },
  'statistics.since':
    'Un artículo cuenta cuando se abre; marcarlo como leído no cuenta. Gleaner cuenta desde el {date}.',
  'statistics.not_yet': 'Aún no se ha contado nada. Un artículo cuenta cuando se abre; marcarlo como leído no cuenta.',
  'statistics.sum': {
    one: '{count} artículo abierto en el tiempo mostrado.',
    many: '{count} de artículos abiertos en el tiempo mostrado.',
    other: '{count} artículos abiertos en el tiempo mostrado.',
  },
  'statistics.days': 'Artículos por día',
  'statistics.weeks': 'Artículos por semana',
  'statistics.hours': 'Horas del día',
  'statistics.hours.text': 'Hora de más lectura: {hour}.',
  'statistics.feeds': 'Lo más leído',
  'statistics.feed.opened': {
    one: '{count} abierto de {all} que llegaron',
    many: '{count} abiertos de {all} que llegaron',
    other: '{count} abiertos de {all} que llegaron',
  },
  'statistics.proposals': 'Lo que se podría cambiar',
  'statistics.proposals.none': 'Se lee algo de cada feed que publica. No hay nada que proponer.',
  'statistics.unread': {
    one: 'Llegó {count} artículo y no se abrió.',
    many: 'Llegaron {count} de artículos y no se abrió ninguno.',
    other: 'Llegaron {count} artículos y no se abrió ninguno.',
  },
  'statistics.noisy': {
    one: 'Alrededor de {count} artículo al día; el {share} queda sin leer.',
    many: 'Alrededor de {count} de artículos al día; el {share} queda sin leer.',
    other: 'Alrededor de {count} artículos al día; el {share} queda sin leer.',
  },
  'statistics.silent': 'Nada nuevo desde el {date}.',
  'statistics.actions': 'Qué hacer con {title}',
  'statistics.unsubscribe': 'Cancelar la suscripción',
  'statistics.fewer': {
    one: 'Conservar solo el más reciente',
    many: 'Conservar solo los {count} más recientes',
    other: 'Conservar solo los {count} más recientes',
  },
  'statistics.mark_read': 'Marcar los nuevos como leídos',
  'statistics.mark_read.rule': 'Marcar «{title}» como leído',
  'statistics.move': 'Mover…',
  'statistics.inspect': 'Inspeccionar',
};
