import type { page as english } from '../en/page';
import type { Part } from '../languages';

/** French for the page of an article: pictures shown large, notes that pop up, finding, copying, reading aloud. Part of `words`. */
export const page: Part<'fr', typeof english> = {
  'key.browser_behind': 'Ouvrir dans le navigateur, et rester ici',
  'key.copy_titled_link': 'Copier le lien avec le titre',
  'key.copy_markdown': 'Copier en Markdown',
  'key.zoom': 'Afficher une image en grand',
  'key.find': 'Rechercher dans l’article',
  'key.find_next': 'Occurrence suivante dans l’article',
  'key.find_previous': 'Occurrence précédente dans l’article',
  'key.read_aloud': 'Lire à voix haute, ou arrêter',

  'page.box': 'Partie large, défile latéralement',
  'page.note': 'Note {sign}',
  'page.note.go': 'Aller à la note',

  'page.zoom': 'Afficher l’image en grand',
  'page.zoom.named': 'Afficher en grand : {alt}',
  'zoom.title': 'Image',
  'zoom.place': 'Image {place} sur {count}',
  'zoom.previous': 'Image précédente',
  'zoom.next': 'Image suivante',
  'zoom.in': 'Agrandir',
  'zoom.out': 'Réduire',
  'zoom.fit': 'Adapter à la fenêtre',
  'zoom.full': 'À sa propre taille',
  'zoom.percent': '{percent} %',
  'zoom.failed': 'Cette image n’a pas pu être chargée.',
  'zoom.none': 'Cet article n’a pas d’image à afficher en grand',

  'find.bar': 'Rechercher dans l’article',
  'find.field': 'Rechercher dans l’article',
  'find.next': 'Occurrence suivante',
  'find.previous': 'Occurrence précédente',
  'find.close': 'Terminer la recherche',
  'find.none': 'Introuvable',
  'find.place': '{place} sur {count}',
  'find.place.more': '{place} sur plus de {count}',

  'copy.markdown.done': 'L’article est dans le presse-papiers en Markdown',
  'copy.markdown.failed': 'L’article n’a pas pu être copié',

  'aloud.pause': 'Pause',
  'aloud.resume': 'Reprendre',
  'aloud.stop': 'Arrêter',
  'aloud.bar': 'Lecture à voix haute',
};
