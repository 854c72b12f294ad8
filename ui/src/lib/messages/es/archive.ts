import type { archive as english } from '../en/archive';
import type { Part } from '../languages';

/** Spanish for what goes out of the library as an archive or as documents, and for archives that come in. Part of `words`. */
export const archive: Part<'es', typeof english> = {
  'menu.export_everything': 'Exportar todo…',
  'archive.done': {
    one: '{count} artículo escrito en {path}',
    many: '{count} de artículos escritos en {path}',
    other: '{count} artículos escritos en {path}',
  },
  'archive.no_secrets': 'No contiene contraseñas, tokens ni cabeceras. Su README.txt dice lo que contiene.',
  'archive.label': 'Exportando',
  'archive.progress': 'Escribiendo {done} de {total} artículos',
  'archive.writing': 'Escribiendo {file}',
  'archive.cancel': 'Detener la exportación',
  'archive.stopped': 'Exportación detenida; no se escribió nada',
  'archive.articles': 'Incorporando {done} de {total} artículos',
  'archive.added': {
    one: '{count} artículo añadido',
    many: '{count} de artículos añadidos',
    other: '{count} artículos añadidos',
  },
  'archive.there': {
    one: '{count} artículo ya estaba',
    many: '{count} de artículos ya estaban',
    other: '{count} artículos ya estaban',
  },
  'archive.feeds_there': {
    one: '{count} feed ya estaba',
    many: '{count} de feeds ya estaban',
    other: '{count} feeds ya estaban',
  },
  'archive.marked': {
    one: '{count} artículo marcado como estaba',
    many: '{count} de artículos marcados como estaban',
    other: '{count} artículos marcados como estaban',
  },
  'archive.rules': {
    one: '{count} regla añadida',
    many: '{count} de reglas añadidas',
    other: '{count} reglas añadidas',
  },
  'archive.searches': {
    one: '{count} búsqueda guardada añadida',
    many: '{count} de búsquedas guardadas añadidas',
    other: '{count} búsquedas guardadas añadidas',
  },
  'archive.pictures': {
    one: '{count} imagen añadida',
    many: '{count} de imágenes añadidas',
    other: '{count} imágenes añadidas',
  },
  'archive.left_out': {
    one: '{count} elemento se dejó fuera en total',
    many: '{count} de elementos se dejaron fuera en total',
    other: '{count} elementos se dejaron fuera en total',
  },
  'archive.access':
    'Ningún archivo contiene contraseñas, tokens ni cabeceras: los feeds que los piden los necesitan de nuevo, en «Acerca de este feed».',

  'save.markdown': 'Guardar como Markdown…',
  'save.html': 'Guardar como HTML…',
  'save.epub': 'Guardar como EPUB…',
  'save.results': 'Guardar resultados',
  'save.results.markdown': 'Guardar todo como Markdown…',
  'save.results.html': 'Guardar todo como HTML…',
  'save.results.epub': 'Guardar todo como EPUB…',
};
