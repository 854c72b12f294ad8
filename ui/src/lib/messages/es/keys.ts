import type { keys as english } from '../en/keys';
import type { Part } from '../languages';

/** Spanish for keys, their presets, and the command palette. Part of `words`. */
export const keys: Part<'es', typeof english> = {
  'key.first': 'Primer artículo',
  'key.last': 'Último artículo',
  'key.copy_link': 'Copiar enlace',
  'key.next_feed': 'Feed siguiente',
  'key.previous_feed': 'Feed anterior',
  'key.palette': 'Hacer o encontrar cualquier cosa',

  'palette.field': 'Una acción, un feed, una carpeta, una etiqueta…',
  'palette.offers': 'Lo que se puede hacer',
  'palette.feed': 'Feed',
  'palette.folder': 'Carpeta',
  'palette.tag': 'Etiqueta',
  'palette.search': 'Búsqueda guardada',
  'palette.search_for': 'Buscar «{query}»',

  'keys.preset': 'Teclas como en',
  'keys.preset.gleaner': 'Gleaner',
  'keys.preset.vim': 'Vim y newsboat',
  'keys.preset.net_news_wire': 'NetNewsWire',
  'keys.preset.reader': 'Feedly y Google Reader',
  'keys.preset.done': 'Las teclas son ahora como en {preset}; los cambios propios se han perdido',
  'keys.reset': 'Deshacer los cambios propios',
  'keys.reset.done': 'Todas las teclas vuelven a ser como en {preset}',
  'keys.none': 'sin tecla',
  'keys.change': 'Cambiar las teclas de «{name}»',
  'keys.changing': 'Teclas de «{name}»',
  'keys.press': 'Pulsar las teclas nuevas',
  'keys.pressed': 'Intro las añade, Retroceso empieza de nuevo, Esc sale.',
  'keys.clash': 'Hasta ahora: {name}, que las pierde.',
  'keys.remove': 'Quitar {keys}',
  'keys.fixed': '{keys} siempre significa «{name}». Elegir otras.',
  'keys.plain': 'Esta tecla se usa al escribir: necesita Ctrl o Alt.',
  'keys.add': 'Añadir',
  'keys.own': 'cambiado',
};
