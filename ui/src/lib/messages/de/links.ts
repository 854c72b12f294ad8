import type { links as english } from '../en/links';
import type { Part } from '../languages';

/** German for where links lead. Part of `words`. */
export const links: Part<'de', typeof english> = {
  'links.refused': 'Wird nicht geöffnet: {scheme}-Links führen zu keiner Webseite',
  'links.claims': 'Im Text des Links steht {host}',
  'links.user': 'Was vor dem @ steht, ist nur ein Benutzername',
  'links.look': 'Buchstaben im Namen sehen anderen ähnlich; so wird er gesendet',
  'links.title': 'Führt dieser Link zum gewünschten Ziel?',
  'links.leads': 'Der Link führt zu {host}.',
  'links.claims.long': 'Sein Text nennt eine andere Website: {host}.',
  'links.user.long': '{user} ist hier nur ein Benutzername: Die Website ist, was nach dem @ steht.',
  'links.look.long':
    'Der Name der Website enthält Buchstaben, die anderen ähnlich sehen; so kann sie sich als eine bekannte ausgeben. Er steht hier, wie Computer ihn schreiben.',
  'links.open': '{host} öffnen',
  'links.copy': 'Adresse kopieren',
  'links.stay': 'Hier bleiben',
};
