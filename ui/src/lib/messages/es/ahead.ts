import type { ahead as english } from '../en/ahead';
import type { Part } from '../languages';

/** Spanish for what is fetched ahead: full texts and pictures. Part of `words`. */
export const ahead: Part<'es', typeof english> = {
  'ahead.title': 'Leer sin conexión',
  'ahead.what':
    'Los textos completos vienen de las páginas de los artículos, las imágenes de donde los artículos las tienen: con cortesía, después de actualizar, una petición a la vez por servidor.',
  'ahead.starred.text': 'Obtener el texto completo de los artículos destacados',
  'ahead.starred.pictures': 'Obtener las imágenes de los artículos destacados',
  'ahead.all.text': 'Obtener el texto completo de los artículos nuevos',
  'ahead.all.pictures': 'Obtener las imágenes de los artículos nuevos',
  'ahead.all.hint': 'De todos los feeds; cada feed y cada carpeta puede tener sus propios ajustes.',
  'ahead.paused': 'Pausar la obtención anticipada',
  'ahead.paused.hint': 'Para redes lentas o caras.',
  'ahead.room': 'Espacio para imágenes',
  'ahead.room.hint':
    'Cuando se agota, ceden su sitio las imágenes de los artículos leídos, primero las más antiguas; las de los destacados se quedan.',
  'ahead.largest': 'Imagen más grande',
  'ahead.now': 'Obtener ahora',
  'ahead.stop': 'Detener',
  'ahead.label': 'Obtención anticipada',
  'ahead.nothing_kept': 'Aún no se conserva nada.',
  'ahead.kept': 'Conservado: {texts} y {pictures}, {size}.',
  'ahead.texts': {
    one: '{count} texto completo',
    many: '{count} de textos completos',
    other: '{count} textos completos',
  },
  'ahead.pictures': { one: '{count} imagen', many: '{count} de imágenes', other: '{count} imágenes' },
  'ahead.waiting': {
    one: 'Falta por obtener {count} texto o imagen.',
    many: 'Faltan por obtener {count} de textos e imágenes.',
    other: 'Faltan por obtener {count} textos e imágenes.',
  },
  'ahead.failed': {
    one: 'No se pudo obtener {count} texto o imagen.',
    many: 'No se pudieron obtener {count} de textos e imágenes.',
    other: 'No se pudieron obtener {count} textos e imágenes.',
  },
  'ahead.so_far': 'Obteniendo: {texts} y {pictures} hasta ahora.',
  'ahead.offline': 'Este equipo está sin conexión: el resto se obtendrá cuando vuelva.',
  'ahead.elsewhere': 'Otro Gleaner está actualizando esta biblioteca ahora mismo; este seguirá cuando aquel termine.',

  'ahead.feed': 'Leer sin conexión',
  'ahead.feed.fetch': 'Obtener por anticipado',
  'ahead.feed.none': 'Nada',
  'ahead.feed.text': 'Texto completo',
  'ahead.feed.pictures': 'Imágenes',
  'ahead.feed.both': 'Texto completo e imágenes',
  'ahead.feed.hint': 'De los artículos nuevos que lleguen, y de los cincuenta sin leer más recientes que ya están.',
  'ahead.feed.first': 'Abrir los artículos con su texto completo',
  'ahead.feed.first.hint': 'Donde esté disponible; «Texto completo» lo obtiene para un artículo.',

  'full_text.show': 'Texto completo',
  'full_text.feed': 'El texto del propio feed',
  'full_text.fetching': 'Obteniendo el texto completo…',
  'full_text.stop': 'Detener',
  'full_text.failed': 'El texto completo no llegó',
  'full_text.ahead_failed': 'No se pudo obtener por anticipado el texto completo; este es el del feed.',
  'full_text.again': 'Reintentar',
  'full_text.dismiss': 'Cerrar',
  'key.full_text': 'Texto completo, o el del feed',

  'error.no_full_text': 'La página no ofrece el texto completo.',
  'error.no_full_text.do': 'Abrir el artículo en el navegador para leerlo allí.',
  'error.no_full_text.no_page': 'El feed no indica ninguna página para este artículo.',
  'error.no_full_text.no_page.do': 'Lo que dice el feed es todo lo que hay.',
  'error.no_full_text.not_a_page': 'Lo que hay allí no es una página web.',
  'error.no_full_text.no_article':
    'No se encontró ningún artículo en la página: quizá necesite un script o iniciar sesión.',
  'error.no_full_text.less': 'La página muestra menos que el feed: quizá necesite un script o iniciar sesión.',
};
