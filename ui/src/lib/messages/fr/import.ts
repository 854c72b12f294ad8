import type { imports as english } from '../en/import';
import type { Part } from '../languages';

/** French for what comes from other readers besides lists of feeds. Part of `words`. */
export const imports: Part<'fr', typeof english> = {
  'import.ended': '{file} a été importé',
  'import.ended.failed': '{file} n’a pas pu être importé',
  'import.show': 'Afficher',
  'import.taking': { one: '{count} article lu', many: '{count} d’articles lus', other: '{count} articles lus' },
  'import.articles': { one: '{count} article', many: '{count} d’articles', other: '{count} articles' },
  'import.starred': {
    one: 'dont {count} marqué d’une étoile',
    many: 'dont {count} marqués d’une étoile',
    other: 'dont {count} marqués d’une étoile',
  },
  'import.known': {
    one: '{count} article était déjà là ; il a gardé son texte et reçu les marques qu’il avait là-bas.',
    many: '{count} d’articles étaient déjà là ; ils ont gardé leur texte et reçu les marques qu’ils avaient là-bas.',
    other: '{count} articles étaient déjà là ; ils ont gardé leur texte et reçu les marques qu’ils avaient là-bas.',
  },
  'import.unasked': {
    one: '{count} autre flux est venu avec ses articles. Il n’est pas actualisé de lui-même : rien n’indiquait un abonnement.',
    many: '{count} autres flux sont venus avec leurs articles. Ils ne sont pas actualisés d’eux-mêmes : rien n’indiquait un abonnement.',
    other:
      '{count} autres flux sont venus avec leurs articles. Ils ne sont pas actualisés d’eux-mêmes : rien n’indiquait un abonnement.',
  },
};
