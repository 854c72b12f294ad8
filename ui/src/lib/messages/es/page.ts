import type { page as english } from '../en/page';
import type { Part } from '../languages';

/** Spanish for the page of an article: pictures shown large, notes that pop up, finding, copying, reading aloud. Part of `words`. */
export const page: Part<'es', typeof english> = {
  'key.browser_behind': 'Abrir en el navegador y quedarse aquí',
  'key.copy_titled_link': 'Copiar enlace con título',
  'key.copy_markdown': 'Copiar como Markdown',
  'key.zoom': 'Mostrar una imagen en grande',
  'key.find': 'Buscar en el artículo',
  'key.find_next': 'Coincidencia siguiente en el artículo',
  'key.find_previous': 'Coincidencia anterior en el artículo',
  'key.read_aloud': 'Leer en voz alta, o parar',

  'page.box': 'Parte ancha, se desplaza a los lados',
  'page.note': 'Nota {sign}',
  'page.note.go': 'Ir a la nota',

  'page.zoom': 'Mostrar la imagen en grande',
  'page.zoom.named': 'Mostrar en grande: {alt}',
  'zoom.title': 'Imagen',
  'zoom.place': 'Imagen {place} de {count}',
  'zoom.previous': 'Imagen anterior',
  'zoom.next': 'Imagen siguiente',
  'zoom.in': 'Ampliar',
  'zoom.out': 'Reducir',
  'zoom.fit': 'Ajustar a la ventana',
  'zoom.full': 'A su tamaño',
  'zoom.percent': '{percent} %',
  'zoom.failed': 'No se pudo cargar esta imagen.',
  'zoom.none': 'En este artículo no hay ninguna imagen que mostrar en grande',

  'find.bar': 'Buscar en el artículo',
  'find.field': 'Buscar en el artículo',
  'find.next': 'Coincidencia siguiente',
  'find.previous': 'Coincidencia anterior',
  'find.close': 'Terminar la búsqueda',
  'find.none': 'No se encontró',
  'find.place': '{place} de {count}',
  'find.place.more': '{place} de más de {count}',

  'copy.markdown.done': 'El artículo está en el portapapeles como Markdown',
  'copy.markdown.failed': 'No se pudo copiar el artículo',

  'aloud.pause': 'Pausar',
  'aloud.resume': 'Continuar',
  'aloud.stop': 'Detener',
  'aloud.bar': 'Lectura en voz alta',
};
