import type { backups as english } from '../en/backups';
import type { Part } from '../languages';

/** Spanish for copies of the library, and for the way back to a whole one. Part of `words`. */
export const backups: Part<'es', typeof english> = {
  'backups.title': 'Copias de seguridad',
  'backups.what':
    'La biblioteca se copia sola una vez al día mientras la ventana está abierta, si algo cambió. Las copias antiguas dejan paso a las nuevas; las hechas a mano se quedan.',
  'backups.last': 'Última copia de seguridad: {when}',
  'backups.none': 'Aún no hay ninguna copia de seguridad.',
  'backups.now': 'Hacer una copia ahora',
  'backups.made': 'Copia hecha: {size}',
  'backups.list': 'Copias de seguridad, las más recientes primero',
  'backups.daily': 'automática',
  'backups.upgrade': 'antes de una actualización de Gleaner',
  'backups.by_hand': 'hecha a mano',
  'backups.restore': 'Restaurar…',
  'backups.restore.label': 'Restaurar la copia de seguridad del {date}…',
  'backups.ask': '¿Volver al {date}?',
  'backups.ask.aside':
    'No contiene lo que llegó o se leyó desde entonces. La biblioteca actual se aparta en {folder}, y nunca se elimina.',
  'backups.restore.do': 'Restaurarla',
  'backups.where': 'La biblioteca está en',
  'backups.show': 'Abrir la carpeta',

  'backups.damage': 'Si algo de la biblioteca no se puede leer',
  'backups.recover': 'Recuperar lo que se pueda leer',
  'backups.recover.what':
    'Se hace una biblioteca nueva con todo lo que aún se pueda leer, y lo que falta se toma de la copia de seguridad más reciente. La dañada se aparta en {folder}, y nunca se elimina.',
  'backups.recover.no_backup':
    'Se hace una biblioteca nueva con todo lo que aún se pueda leer; no hay copia de seguridad para llenar los huecos. La dañada se aparta en {folder}, y nunca se elimina.',
  'backups.choose': 'Restaurar una copia de seguridad…',

  'backups.backing_up': 'Copiando la biblioteca…',
  'backups.restoring': 'Colocando la copia de seguridad y comprobando que esté entera…',
  'backups.recovering':
    'Leyendo lo que se puede leer. Con una biblioteca grande tarda unos minutos; la ventana puede seguir abierta.',
  'backups.busy':
    'Otro programa tiene abierta la biblioteca: una segunda ventana, o glean. Cerrarlo y reintentar. No se cambió nada.',
  'backups.not_whole': 'Esta copia de seguridad no se puede leer entera. No se cambió nada; elegir otra.',

  // What came of it
  'renewed.restored': 'La copia de seguridad está restaurada',
  'renewed.recovered': 'La biblioteca está recuperada',
  'renewed.feeds': { one: '{count} feed', many: '{count} de feeds', other: '{count} feeds' },
  'renewed.articles': { one: '{count} artículo', many: '{count} de artículos', other: '{count} artículos' },
  'renewed.as_of': 'La biblioteca está como estaba el {date}.',
  'renewed.whole': 'Se pudo leer todo.',
  'renewed.filled':
    'No se pudo leer todo. Lo que faltaba vino de la copia de seguridad del {date}, en la medida en que estaba allí.',
  'renewed.gaps': 'No se pudo leer todo, y no había copia de seguridad para llenar los huecos.',
  'renewed.lost': 'Lo que no se pudo leer',
  'renewed.pieces': {
    one: '{what}: {count} fragmento',
    many: '{what}: {count} de fragmentos',
    other: '{what}: {count} fragmentos',
  },
  'renewed.aside': 'La biblioteca que había antes está apartada en',
};
