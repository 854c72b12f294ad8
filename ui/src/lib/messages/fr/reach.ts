import type { reach as english } from '../en/reach';
import type { Part } from '../languages';

/** French for how feeds are reached (login, certificate, proxy), for files as feeds, and for their history. Part of `words`. */
export const reach: Part<'fr', typeof english> = {
  // The section of the dialog about a feed
  'reach.title': 'Comment il est joint',
  'reach.usual': 'Comme tout autre flux : sans identification, par le proxy du système.',
  'reach.change': 'Changer la façon de le joindre',
  'reach.former':
    'Il a déménagé vers {origin}. Ce qui était donné pour {former} n’y est pas envoyé : le donner de nouveau.',
  'reach.login': 'Identification',
  'reach.login.none': 'Aucune',
  'reach.login.basic': 'Nom et mot de passe',
  'reach.login.bearer': 'Jeton',
  'reach.login.basic.as': 'En tant que {user}',
  'reach.login.bearer.as': 'Avec un jeton',
  'reach.kept.password.keyring': 'un mot de passe est conservé : dans le trousseau de clés de cet ordinateur',
  'reach.kept.password.library': 'un mot de passe est conservé : dans le fichier de la bibliothèque',
  'reach.kept.token.keyring': 'un jeton est conservé : dans le trousseau de clés de cet ordinateur',
  'reach.kept.token.library': 'un jeton est conservé : dans le fichier de la bibliothèque',
  'reach.only': 'Envoyé uniquement à {origin}',
  'reach.user': 'Nom',
  'reach.user.needed': 'Donner le nom.',
  'reach.password': 'Mot de passe',
  'reach.password.needed': 'Donner le mot de passe.',
  'reach.token': 'Jeton',
  'reach.token.needed': 'Donner le jeton.',
  'reach.secret.keep': 'Laisser vide pour garder celui qui est là.',
  'reach.secret.where': 'Conservé dans le trousseau de clés de cet ordinateur, et envoyé uniquement à {origin}.',
  'reach.unencrypted':
    'Cette adresse n’est pas chiffrée : quiconque se trouve sur le chemin peut lire ce qui est envoyé. Préférer https:// si le site le propose.',
  'reach.agent': 'User-Agent',
  'reach.agent.own': 'Celui de Gleaner',
  'reach.agent.hint':
    'Le nom que Gleaner se donne auprès de ce serveur. Laisser vide, à moins que le serveur ne refuse Gleaner à cause de son nom.',
  'reach.headers': 'En-têtes',
  'reach.headers.hint':
    'Envoyés avec chaque requête. Leurs valeurs sont conservées dans le fichier de la bibliothèque, et montrées à personne.',
  'reach.header.name': 'Nom de l’en-tête {number}',
  'reach.header.value': 'Valeur de l’en-tête {number}',
  'reach.header.kept': 'Conservée telle quelle',
  'reach.header.add': 'Ajouter un en-tête',
  'reach.header.remove': 'Retirer l’en-tête {number}',
  'reach.proxy': 'Proxy',
  'reach.proxy.system': 'Celui du système',
  'reach.proxy.direct': 'Aucun',
  'reach.proxy.own': 'Celui-ci',
  'reach.proxy.address': 'Adresse du proxy',
  'reach.proxy.hint': 'http, https ou socks5, comme socks5://127.0.0.1:9050. Sans mot de passe.',
  'reach.proxy.needed': 'Donner l’adresse du proxy.',
  'reach.saved': '{title} est désormais joint autrement',

  // Without a keyring
  'keyring.none': 'Cet ordinateur n’a pas de trousseau de clés que Gleaner puisse utiliser',
  'keyring.ask':
    'Le mot de passe peut-il être conservé dans le fichier de la bibliothèque ? Seul votre compte peut alors lire ce fichier ; mais qui en obtient une copie, une sauvegarde par exemple, a aussi le mot de passe.',
  'keyring.ask.token':
    'Le jeton peut-il être conservé dans le fichier de la bibliothèque ? Seul votre compte peut alors lire ce fichier ; mais qui en obtient une copie, une sauvegarde par exemple, a aussi le jeton.',
  'keyring.yes': 'Le conserver dans le fichier de la bibliothèque',
  'keyring.no': 'Ne pas le conserver',

  // Certificates
  'certificate.look': 'Examiner le certificat',
  'certificate.looking': 'Demande du certificat de {host}…',
  'certificate.good': 'Le certificat que {host} présente maintenant est bon. Interroger de nouveau le flux.',
  'certificate.shown': 'Le certificat que présente {host}',
  'certificate.expired': 'Il a expiré le {date}.',
  'certificate.not_yet_valid': 'Il n’est valable qu’à partir du {date}.',
  'certificate.wrong_name': 'Il est pour {names}, et non pour {host}.',
  'certificate.wrong_name.none': 'Il ne nomme aucun site, et donc pas non plus {host}.',
  'certificate.self_signed': 'Il est autosigné : lui seul se porte garant de lui-même.',
  'certificate.untrusted': 'Cet ordinateur ne fait pas confiance à son autorité.',
  'certificate.subject': 'Délivré à',
  'certificate.issuer': 'Par',
  'certificate.valid': 'Valable',
  'certificate.valid.span': 'du {from} au {until}',
  'certificate.fingerprint': 'SHA-256',
  'certificate.hint':
    'À n’accepter que si c’est sûrement celui du serveur : demander à son propriétaire de comparer l’empreinte. Seul ce certificat précis est accepté chez {host}, et aucun autre.',
  'certificate.accept': 'Accepter ce certificat',
  'certificate.accepted': 'Certificat',
  'certificate.accepted.what': 'Celui-ci précisément est accepté chez {origin}, quels que soient ses défauts',
  'certificate.take_back': 'Ne plus l’accepter',
  'certificate.done': 'Le certificat de {title} est accepté',
  'certificate.taken_back': 'Le certificat de {title} n’est plus accepté',

  // Adding what asks for something
  'add.login': '{host} demande une identification',
  'add.login.refused': '{host} a refusé cette identification',
  'add.login.do': 'S’identifier',
  'add.certificate': 'Le certificat de {host} n’est pas bon',
  'add.certificate.do': 'L’accepter et continuer',
  'add.file': 'Choisir un fichier…',
  'add.file.hint': 'Ou un flux qui est un fichier de cet ordinateur :',

  // History
  'older.title': 'Articles plus anciens',
  'older.menu': 'Récupérer des articles plus anciens…',
  'older.what':
    'Ce qu’il a publié avant votre arrivée, s’il tient des archives : page par page, avec une pause entre elles. Ils arrivent comme lus.',
  'older.do': 'Récupérer des articles plus anciens',
  'older.further': 'Remonter plus loin',
  'older.stop': 'Arrêter la récupération',
  'older.label': 'Récupération d’articles plus anciens',
  'older.starting': 'Recherche de ses archives…',
  'older.pages': { one: '{count} page lue', many: '{count} de pages lues', other: '{count} pages lues' },
  'older.articles': {
    one: '{count} article plus ancien',
    many: '{count} d’articles plus anciens',
    other: '{count} articles plus anciens',
  },
  'older.no_articles': 'aucun article plus ancien',
  'older.so_far': '{pages}, {articles}',
  'older.whole': 'Il n’a rien de plus ancien.',
  'older.nothing_offered':
    'Il n’offre pas d’archives : des articles plus anciens que ceux qu’il contient maintenant ne peuvent en être obtenus.',
  'older.limit': 'Arrêté à la limite de pages ; il y en a d’autres.',
  'older.cancelled': 'Arrêté par vous ; ce qui était arrivé reste.',
  'older.wait': 'Son serveur demande à être laissé tranquille jusqu’à {when} ; ce qui était arrivé reste.',
  'older.elsewhere': 'Un autre Gleaner actualise cette bibliothèque ; réessayer quand il aura fini.',
  'older.failed': 'Terminé trop tôt : {what}.',
  'older.done': '{title} : {what}',
};
