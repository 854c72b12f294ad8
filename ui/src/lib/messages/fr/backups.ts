import type { backups as english } from '../en/backups';
import type { Part } from '../languages';

/** French for copies of the library, and for the way back to a whole one. Part of `words`. */
export const backups: Part<'fr', typeof english> = {
  'backups.title': 'Sauvegardes',
  'backups.what':
    'La bibliothèque se copie elle-même une fois par jour tant que la fenêtre est ouverte, si quelque chose a changé. Les copies anciennes cèdent la place aux nouvelles ; celles faites à la main restent.',
  'backups.last': 'Dernière sauvegarde : {when}',
  'backups.none': 'Il n’y a pas encore de sauvegarde.',
  'backups.now': 'Sauvegarder maintenant',
  'backups.made': 'Sauvegardé : {size}',
  'backups.list': 'Sauvegardes, les plus récentes d’abord',
  'backups.daily': 'automatique',
  'backups.upgrade': 'avant une mise à jour de Gleaner',
  'backups.by_hand': 'faite à la main',
  'backups.restore': 'Restaurer…',
  'backups.restore.label': 'Restaurer la sauvegarde du {date}…',
  'backups.ask': 'Revenir au {date} ?',
  'backups.ask.aside':
    'Ce qui est arrivé ou a été lu depuis n’y est pas. La bibliothèque actuelle est mise de côté dans {folder}, et jamais supprimée.',
  'backups.restore.do': 'La restaurer',
  'backups.where': 'La bibliothèque se trouve dans',
  'backups.show': 'Ouvrir le dossier',

  'backups.damage': 'Si quelque chose dans la bibliothèque ne peut pas être lu',
  'backups.recover': 'Récupérer ce qui peut être lu',
  'backups.recover.what':
    'Une nouvelle bibliothèque est faite de tout ce qui peut encore être lu, et ce qui manque est pris dans la sauvegarde la plus récente. Celle qui est endommagée est mise de côté dans {folder}, et jamais supprimée.',
  'backups.recover.no_backup':
    'Une nouvelle bibliothèque est faite de tout ce qui peut encore être lu ; il n’y a pas de sauvegarde pour combler les manques. Celle qui est endommagée est mise de côté dans {folder}, et jamais supprimée.',
  'backups.choose': 'Restaurer une sauvegarde…',

  'backups.backing_up': 'Copie de la bibliothèque…',
  'backups.restoring': 'Mise en place de la sauvegarde, et vérification qu’elle est entière…',
  'backups.recovering':
    'Lecture de ce qui peut être lu. Avec une grande bibliothèque, cela prend quelques minutes ; la fenêtre peut rester ouverte.',
  'backups.busy':
    'Un autre programme a ouvert la bibliothèque : une seconde fenêtre, ou glean. Le fermer, puis réessayer. Rien n’a été changé.',
  'backups.not_whole': 'Cette sauvegarde ne peut pas être lue en entier. Rien n’a été changé ; en choisir une autre.',

  // What came of it
  'renewed.restored': 'La sauvegarde est restaurée',
  'renewed.recovered': 'La bibliothèque est récupérée',
  'renewed.feeds': { one: '{count} flux', many: '{count} de flux', other: '{count} flux' },
  'renewed.articles': { one: '{count} article', many: '{count} d’articles', other: '{count} articles' },
  'renewed.as_of': 'La bibliothèque est telle qu’elle était le {date}.',
  'renewed.whole': 'Tout a pu être lu.',
  'renewed.filled':
    'Tout n’a pas pu être lu. Ce qui manquait vient de la sauvegarde du {date}, dans la mesure où il y était.',
  'renewed.gaps': 'Tout n’a pas pu être lu, et il n’y avait pas de sauvegarde pour combler les manques.',
  'renewed.lost': 'Ce qui n’a pas pu être lu',
  'renewed.pieces': {
    one: '{what} : {count} fragment',
    many: '{what} : {count} de fragments',
    other: '{what} : {count} fragments',
  },
  'renewed.aside': 'La bibliothèque qui était là auparavant est mise de côté dans',
};
