import type { ahead as english } from '../en/ahead';
import type { Part } from '../languages';

/** French for what is fetched ahead: full texts and pictures. Part of `words`. */
export const ahead: Part<'fr', typeof english> = {
  'ahead.title': 'Lire hors connexion',
  'ahead.what':
    'Les textes intégraux viennent des pages des articles, les images de là où les articles les ont : poliment, après l’actualisation, une requête à la fois par serveur.',
  'ahead.starred.text': 'Récupérer le texte intégral des articles marqués d’une étoile',
  'ahead.starred.pictures': 'Récupérer les images des articles marqués d’une étoile',
  'ahead.all.text': 'Récupérer le texte intégral des nouveaux articles',
  'ahead.all.pictures': 'Récupérer les images des nouveaux articles',
  'ahead.all.hint': 'Pour tous les flux ; chaque flux et chaque dossier peut avoir ses propres réglages.',
  'ahead.paused': 'Suspendre la récupération anticipée',
  'ahead.paused.hint': 'Pour les connexions lentes ou coûteuses.',
  'ahead.room': 'Place pour les images',
  'ahead.room.hint':
    'Quand elle est prise, les images des articles lus cèdent la leur, les plus anciennes d’abord ; celles des articles marqués d’une étoile restent.',
  'ahead.largest': 'Image la plus lourde',
  'ahead.now': 'Récupérer maintenant',
  'ahead.stop': 'Arrêter',
  'ahead.label': 'Récupération anticipée',
  'ahead.nothing_kept': 'Rien n’est conservé pour l’instant.',
  'ahead.kept': 'Conservés : {texts} et {pictures}, {size}.',
  'ahead.texts': {
    one: '{count} texte intégral',
    many: '{count} de textes intégraux',
    other: '{count} textes intégraux',
  },
  'ahead.pictures': { one: '{count} image', many: '{count} d’images', other: '{count} images' },
  'ahead.waiting': {
    one: '{count} texte ou image reste à récupérer.',
    many: '{count} de textes et images restent à récupérer.',
    other: '{count} textes et images restent à récupérer.',
  },
  'ahead.failed': {
    one: '{count} texte ou image n’a pas pu être récupéré.',
    many: '{count} de textes et images n’ont pas pu être récupérés.',
    other: '{count} textes et images n’ont pas pu être récupérés.',
  },
  'ahead.so_far': 'Récupération : {texts} et {pictures} jusqu’ici.',
  'ahead.offline': 'Cet ordinateur est hors connexion : le reste sera récupéré à son retour.',
  'ahead.elsewhere':
    'Un autre Gleaner actualise cette bibliothèque en ce moment ; celui-ci prendra la suite quand il aura fini.',

  'ahead.feed': 'Lire hors connexion',
  'ahead.feed.fetch': 'Récupérer à l’avance',
  'ahead.feed.none': 'Rien',
  'ahead.feed.text': 'Texte intégral',
  'ahead.feed.pictures': 'Images',
  'ahead.feed.both': 'Texte intégral et images',
  'ahead.feed.hint': 'Pour les nouveaux articles, et pour les cinquante non lus les plus récents déjà là.',
  'ahead.feed.first': 'Ouvrir les articles avec leur texte intégral',
  'ahead.feed.first.hint': 'Quand il est là ; « Texte intégral » le récupère pour un article.',

  'full_text.show': 'Texte intégral',
  'full_text.feed': 'Le texte du flux',
  'full_text.fetching': 'Récupération du texte intégral…',
  'full_text.stop': 'Arrêter',
  'full_text.failed': 'Le texte intégral n’est pas venu',
  'full_text.ahead_failed': 'Le texte intégral n’a pas pu être récupéré à l’avance ; voici celui du flux.',
  'full_text.again': 'Réessayer',
  'full_text.dismiss': 'Fermer',
  'key.full_text': 'Texte intégral, ou celui du flux',

  'error.no_full_text': 'La page ne donne pas de texte intégral.',
  'error.no_full_text.do': 'Ouvrir l’article dans le navigateur pour le lire là.',
  'error.no_full_text.no_page': 'Le flux n’indique aucune page pour cet article.',
  'error.no_full_text.no_page.do': 'Il n’y a rien de plus que ce que dit le flux.',
  'error.no_full_text.not_a_page': 'Ce qui s’y trouve n’est pas une page web.',
  'error.no_full_text.no_article':
    'Aucun article trouvé dans la page : il faut peut-être un script, ou une connexion à un compte.',
  'error.no_full_text.less':
    'La page en montre moins que le flux : il faut peut-être un script, ou une connexion à un compte.',
};
