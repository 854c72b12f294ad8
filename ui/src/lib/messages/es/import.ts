import type { imports as english } from '../en/import';
import type { Part } from '../languages';

/** Spanish for what comes from other readers besides lists of feeds. Part of `words`. */
export const imports: Part<'es', typeof english> = {
  'import.ended': 'Se importó {file}',
  'import.ended.failed': 'No se pudo importar {file}',
  'import.show': 'Mostrar',
  'import.taking': {
    one: '{count} artículo leído',
    many: '{count} de artículos leídos',
    other: '{count} artículos leídos',
  },
  'import.articles': { one: '{count} artículo', many: '{count} de artículos', other: '{count} artículos' },
  'import.starred': {
    one: '{count} de ellos destacado',
    many: '{count} de ellos destacados',
    other: '{count} de ellos destacados',
  },
  'import.known': {
    one: '{count} artículo ya estaba aquí; conservó su texto y ganó las marcas que tenía allí.',
    many: '{count} de artículos ya estaban aquí; conservaron su texto y ganaron las marcas que tenían allí.',
    other: '{count} artículos ya estaban aquí; conservaron su texto y ganaron las marcas que tenían allí.',
  },
  'import.unasked': {
    one: '{count} feed más llegó con sus artículos. No se actualiza solo: nada indicaba una suscripción.',
    many: '{count} de feeds más llegaron con sus artículos. No se actualizan solos: nada indicaba una suscripción.',
    other: '{count} feeds más llegaron con sus artículos. No se actualizan solos: nada indicaba una suscripción.',
  },
};
