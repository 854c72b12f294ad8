import type { links as english } from '../en/links';
import type { Part } from '../languages';

/** French for where links lead. Part of `words`. */
export const links: Part<'fr', typeof english> = {
  'links.refused': 'Non ouvert : les liens {scheme} ne mènent pas à une page web',
  'links.claims': 'Son texte indique {host}',
  'links.user': 'Ce qui précède le @ n’est qu’un nom d’utilisateur',
  'links.look': 'Des lettres de son nom ressemblent à d’autres ; voici comment il est envoyé',
  'links.title': 'Ce lien mène-t-il à l’endroit voulu ?',
  'links.leads': 'Le lien mène à {host}.',
  'links.claims.long': 'Son texte nomme un autre site : {host}.',
  'links.user.long': '{user} n’est ici qu’un nom d’utilisateur : le site est ce qui suit le @.',
  'links.look.long':
    'Le nom du site a des lettres qui ressemblent à d’autres : il peut donc se faire passer pour un site connu. Il est affiché tel que les ordinateurs l’écrivent.',
  'links.open': 'Ouvrir {host}',
  'links.copy': 'Copier l’adresse',
  'links.stay': 'Rester ici',
};
