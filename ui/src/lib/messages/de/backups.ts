import type { backups as english } from '../en/backups';
import type { Part } from '../languages';

/** German for copies of the library, and for the way back to a whole one. Part of `words`. */
export const backups: Part<'de', typeof english> = {
  'backups.title': 'Sicherungen',
  'backups.what':
    'Die Bibliothek sichert sich einmal am Tag selbst, solange das Fenster offen ist und sich etwas geändert hat. Ältere Sicherungen weichen neueren; von Hand gemachte bleiben.',
  'backups.last': 'Letzte Sicherung: {when}',
  'backups.none': 'Es gibt noch keine Sicherung.',
  'backups.now': 'Jetzt sichern',
  'backups.made': 'Gesichert: {size}',
  'backups.list': 'Sicherungen, neueste zuerst',
  'backups.daily': 'von selbst gemacht',
  'backups.upgrade': 'vor einer neuen Version von Gleaner',
  'backups.by_hand': 'von Hand gemacht',
  'backups.restore': 'Wiederherstellen…',
  'backups.restore.label': 'Sicherung vom {date} wiederherstellen…',
  'backups.ask': 'Zurück zum {date}?',
  'backups.ask.aside':
    'Was seither kam oder gelesen wurde, ist nicht darin. Die Bibliothek in ihrem jetzigen Stand wird nach {folder} beiseitegelegt und nie gelöscht.',
  'backups.restore.do': 'Wiederherstellen',
  'backups.where': 'Die Bibliothek liegt in',
  'backups.show': 'Ordner öffnen',

  'backups.damage': 'Wenn sich etwas in der Bibliothek nicht lesen lässt',
  'backups.recover': 'Retten, was lesbar ist',
  'backups.recover.what':
    'Aus allem, was noch lesbar ist, entsteht eine neue Bibliothek; was fehlt, kommt aus der neuesten Sicherung. Die beschädigte wird nach {folder} beiseitegelegt und nie gelöscht.',
  'backups.recover.no_backup':
    'Aus allem, was noch lesbar ist, entsteht eine neue Bibliothek; eine Sicherung, um Lücken zu füllen, gibt es nicht. Die beschädigte wird nach {folder} beiseitegelegt und nie gelöscht.',
  'backups.choose': 'Sicherung wiederherstellen…',

  'backups.backing_up': 'Die Bibliothek wird gesichert…',
  'backups.restoring': 'Die Sicherung wird eingesetzt und geprüft…',
  'backups.recovering':
    'Was lesbar ist, wird gelesen. Bei einer großen Bibliothek dauert das einige Minuten; das Fenster kann offen bleiben.',
  'backups.busy':
    'Ein anderes Programm hat die Bibliothek geöffnet: ein zweites Fenster oder glean. Dieses schließen, dann noch einmal versuchen. Nichts wurde geändert.',
  'backups.not_whole': 'Diese Sicherung ist nicht vollständig lesbar. Nichts wurde geändert; eine andere wählen.',

  // What came of it
  'renewed.restored': 'Die Sicherung ist wiederhergestellt',
  'renewed.recovered': 'Die Bibliothek ist gerettet',
  'renewed.feeds': { one: '{count} Feed', other: '{count} Feeds' },
  'renewed.articles': { one: '{count} Artikel', other: '{count} Artikel' },
  'renewed.as_of': 'Die Bibliothek ist auf dem Stand vom {date}.',
  'renewed.whole': 'Alles war lesbar.',
  'renewed.filled':
    'Nicht alles war lesbar. Was fehlte, kam aus der Sicherung vom {date}, soweit es dort vorhanden war.',
  'renewed.gaps': 'Nicht alles war lesbar, und es gab keine Sicherung, um die Lücken zu füllen.',
  'renewed.lost': 'Was nicht lesbar war',
  'renewed.pieces': { one: '{what}: {count} Stück', other: '{what}: {count} Stück' },
  'renewed.aside': 'Die frühere Bibliothek liegt nun in',
};
