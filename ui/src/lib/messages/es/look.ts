import type { look as english } from '../en/look';
import type { Part } from '../languages';

/** Spanish for how articles are set. Part of `words`. */
export const look: Part<'es', typeof english> = {
  'look.title': 'Aspecto de los artículos',
  'look.font': 'Tipo de letra',
  'look.font.serif': 'Source Serif',
  'look.font.sans': 'Inter',
  'look.font.system': 'El del sistema',
  'look.size': 'Tamaño',
  'look.width': 'Longitud de línea',
  'look.width.value': { one: '{count} carácter', many: '{count} de caracteres', other: '{count} caracteres' },
  'look.leading': 'Espacio entre líneas',
  'look.less': '{what}: menos',
  'look.more': '{what}: más',
  'look.hyphens': 'Dividir palabras',
  'look.hyphens.hint': 'Donde un artículo dice en qué idioma está.',
  'look.css': 'Hoja de estilo propia',
  'look.css.hint':
    'CSS para las páginas de los artículos, sobre el de Gleaner. Lo que se escribe se ve al momento; lo que preguntaría a un servidor se omite.',
  'look.reset': 'Todo como estaba pensado',
  'look.reset.done': 'Los artículos vuelven a verse como estaba pensado',
};
