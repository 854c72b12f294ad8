import type { links as english } from '../en/links';
import type { Part } from '../languages';

/** Spanish for where links lead. Part of `words`. */
export const links: Part<'es', typeof english> = {
  'links.refused': 'No se abrió: los enlaces {scheme} no llevan a una página web',
  'links.claims': 'Su texto dice {host}',
  'links.user': 'Lo que va antes de la @ es solo un nombre de usuario',
  'links.look': 'Hay letras de su nombre que se parecen a otras; así es como se envía',
  'links.title': '¿Lleva este enlace adonde se quiere ir?',
  'links.leads': 'El enlace lleva a {host}.',
  'links.claims.long': 'Su texto nombra otro sitio: {host}.',
  'links.user.long': '{user} es aquí solo un nombre de usuario: el sitio es lo que va después de la @.',
  'links.look.long':
    'El nombre del sitio tiene letras que se parecen a otras, así que puede hacerse pasar por uno conocido. Se muestra tal como se envía.',
  'links.open': 'Abrir {host}',
  'links.copy': 'Copiar dirección',
  'links.stay': 'Quedarse aquí',
};
