import type { preferences as english } from '../en/preferences';
import type { Part } from '../languages';

/** French for what is wished of a feed or folder. Part of `words`. */
export const preferences: Part<'fr', typeof english> = {
  'prefs.title': 'Réglages de {title}',
  'prefs.menu': 'Réglages…',
  'prefs.hint': 'Ce qui n’est pas réglé ici suit le dossier, ou tous les flux.',
  'prefs.asking': 'Actualisation',
  'prefs.images': 'Images du Web',
  'prefs.images.show': 'Affichées',
  'prefs.images.hide': 'Non affichées',
  'prefs.images.done': 'Les images de {title} sont affichées',
  'prefs.yes': 'Oui',
  'prefs.no': 'Non',
  'prefs.notify': 'Annoncer les nouveaux articles sur le bureau',
  'prefs.notify.hint':
    'Une notification par actualisation, avec les titres les plus récents. Ce qu’une règle marque comme lu ou masque n’est pas annoncé.',
  'key.preferences': 'Réglages d’un flux ou d’un dossier',
  'article.always_pictures_feed': 'Toujours pour ce flux',
};
