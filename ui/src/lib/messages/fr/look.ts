import type { look as english } from '../en/look';
import type { Part } from '../languages';

/** French for how articles are set. Part of `words`. */
export const look: Part<'fr', typeof english> = {
  'look.title': 'Apparence des articles',
  'look.font': 'Police',
  'look.font.serif': 'Source Serif',
  'look.font.sans': 'Inter',
  'look.font.system': 'Celle du système',
  'look.size': 'Taille',
  'look.width': 'Longueur d’une ligne',
  'look.width.value': { one: '{count} caractère', many: '{count} de caractères', other: '{count} caractères' },
  'look.leading': 'Espace entre les lignes',
  'look.less': '{what} : moins',
  'look.more': '{what} : plus',
  'look.hyphens': 'Couper les mots',
  'look.hyphens.hint': 'Quand un article dit dans quelle langue il est.',
  'look.css': 'Votre propre feuille de style',
  'look.css.hint':
    'Du CSS pour les pages des articles, par-dessus celui de Gleaner. Ce qui est saisi se voit aussitôt ; ce qui interrogerait un serveur est écarté.',
  'look.reset': 'Tout comme à l’origine',
  'look.reset.done': 'Les articles ont retrouvé leur apparence d’origine',
};
