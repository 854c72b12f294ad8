import type { keys as english } from '../en/keys';
import type { Part } from '../languages';

/** French for keys, their presets, and the command palette. Part of `words`. */
export const keys: Part<'fr', typeof english> = {
  'key.first': 'Premier article',
  'key.last': 'Dernier article',
  'key.copy_link': 'Copier le lien',
  'key.next_feed': 'Flux suivant',
  'key.previous_feed': 'Flux précédent',
  'key.palette': 'Tout faire, tout trouver',

  'palette.field': 'Une action, un flux, un dossier, une étiquette…',
  'palette.offers': 'Ce qui peut être fait',
  'palette.feed': 'Flux',
  'palette.folder': 'Dossier',
  'palette.tag': 'Étiquette',
  'palette.search': 'Recherche enregistrée',
  'palette.search_for': 'Rechercher « {query} »',

  'keys.preset': 'Touches comme dans',
  'keys.preset.gleaner': 'Gleaner',
  'keys.preset.vim': 'Vim et newsboat',
  'keys.preset.net_news_wire': 'NetNewsWire',
  'keys.preset.reader': 'Feedly et Google Reader',
  'keys.preset.done': 'Les touches sont désormais celles de {preset} ; vos propres changements ont disparu',
  'keys.reset': 'Annuler mes changements',
  'keys.reset.done': 'Toutes les touches sont de nouveau celles de {preset}',
  'keys.none': 'aucune touche',
  'keys.change': 'Changer les touches de « {name} »',
  'keys.changing': 'Touches de « {name} »',
  'keys.press': 'Appuyer sur les nouvelles touches',
  'keys.pressed': 'Entrée les ajoute, Retour arrière recommence, Échap quitte.',
  'keys.clash': 'Jusqu’ici : {name}, qui les perd.',
  'keys.remove': 'Retirer {keys}',
  'keys.fixed': '{keys} signifie toujours « {name} ». En choisir d’autres.',
  'keys.plain': 'Cette touche sert à écrire : elle demande Ctrl ou Alt.',
  'keys.add': 'Ajouter',
  'keys.own': 'modifié',
};
