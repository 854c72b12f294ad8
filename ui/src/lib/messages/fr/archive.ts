import type { archive as english } from '../en/archive';
import type { Part } from '../languages';

/** French for what goes out of the library as an archive or as documents, and for archives that come in. Part of `words`. */
export const archive: Part<'fr', typeof english> = {
  'menu.export_everything': 'Tout exporter…',
  'archive.done': {
    one: '{count} article écrit dans {path}',
    many: '{count} d’articles écrits dans {path}',
    other: '{count} articles écrits dans {path}',
  },
  'archive.no_secrets': 'Les mots de passe, jetons et en-têtes n’y sont pas. Son README.txt dit ce qu’il contient.',
  'archive.label': 'Exportation',
  'archive.progress': 'Écriture de {done} articles sur {total}',
  'archive.writing': 'Écriture de {file}',
  'archive.cancel': 'Arrêter l’exportation',
  'archive.stopped': 'Exportation arrêtée ; rien n’a été écrit',
  'archive.articles': 'Reprise de {done} articles sur {total}',
  'archive.added': {
    one: '{count} article ajouté',
    many: '{count} d’articles ajoutés',
    other: '{count} articles ajoutés',
  },
  'archive.there': {
    one: '{count} article était déjà là',
    many: '{count} d’articles étaient déjà là',
    other: '{count} articles étaient déjà là',
  },
  'archive.feeds_there': {
    one: '{count} flux était déjà là',
    many: '{count} de flux étaient déjà là',
    other: '{count} flux étaient déjà là',
  },
  'archive.marked': {
    one: '{count} article marqué comme il l’était',
    many: '{count} d’articles marqués comme ils l’étaient',
    other: '{count} articles marqués comme ils l’étaient',
  },
  'archive.rules': {
    one: '{count} règle ajoutée',
    many: '{count} de règles ajoutées',
    other: '{count} règles ajoutées',
  },
  'archive.searches': {
    one: '{count} recherche enregistrée ajoutée',
    many: '{count} de recherches enregistrées ajoutées',
    other: '{count} recherches enregistrées ajoutées',
  },
  'archive.pictures': {
    one: '{count} image ajoutée',
    many: '{count} d’images ajoutées',
    other: '{count} images ajoutées',
  },
  'archive.left_out': {
    one: '{count} élément a été laissé de côté en tout',
    many: '{count} d’éléments ont été laissés de côté en tout',
    other: '{count} éléments ont été laissés de côté en tout',
  },
  'archive.access':
    'Les mots de passe, jetons et en-têtes ne sont dans aucune archive : les flux qui en demandent en ont de nouveau besoin, dans « À propos de ce flux ».',

  'save.markdown': 'Enregistrer en Markdown…',
  'save.html': 'Enregistrer en HTML…',
  'save.epub': 'Enregistrer en EPUB…',
  'save.results': 'Enregistrer les résultats',
  'save.results.markdown': 'Tout enregistrer en Markdown…',
  'save.results.html': 'Tout enregistrer en HTML…',
  'save.results.epub': 'Tout enregistrer en EPUB…',
};
