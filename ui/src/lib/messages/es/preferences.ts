import type { preferences as english } from '../en/preferences';
import type { Part } from '../languages';

/** Spanish for what is wished of a feed or folder. Part of `words`. */
export const preferences: Part<'es', typeof english> = {
  'prefs.title': 'Ajustes de {title}',
  'prefs.menu': 'Ajustes…',
  'prefs.hint': 'Lo que no se ajusta aquí es como en la carpeta o como en todos los feeds.',
  'prefs.asking': 'Actualización',
  'prefs.images': 'Imágenes de la web',
  'prefs.images.show': 'Se muestran',
  'prefs.images.hide': 'No se muestran',
  'prefs.images.done': 'Se muestran las imágenes de {title}',
  'prefs.yes': 'Sí',
  'prefs.no': 'No',
  'prefs.notify': 'Avisar en el escritorio de los artículos nuevos',
  'prefs.notify.hint':
    'Un aviso por actualización, con los títulos más recientes. No se avisa de lo que una regla marca como leído u oculta.',
  'key.preferences': 'Ajustes de un feed o una carpeta',
  'article.always_pictures_feed': 'Siempre en este feed',
};
