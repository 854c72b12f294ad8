import type { reach as english } from '../en/reach';
import type { Part } from '../languages';

/** Spanish for how feeds are reached (login, certificate, proxy), for files as feeds, and for their history. Part of `words`. */
export const reach: Part<'es', typeof english> = {
  // The section of the dialog about a feed
  'reach.title': 'Cómo se accede a él',
  'reach.usual': 'Como a cualquier otro feed: sin iniciar sesión, por el proxy del sistema.',
  'reach.change': 'Cambiar cómo se accede',
  'reach.former': 'Se ha trasladado a {origin}. Lo indicado para {former} no se envía allí: indicarlo de nuevo.',
  'reach.login': 'Inicio de sesión',
  'reach.login.none': 'Ninguno',
  'reach.login.basic': 'Nombre y contraseña',
  'reach.login.bearer': 'Token',
  'reach.login.basic.as': 'Como {user}',
  'reach.login.bearer.as': 'Con un token',
  'reach.kept.password.keyring': 'hay una contraseña guardada: en el llavero de claves de este equipo',
  'reach.kept.password.library': 'hay una contraseña guardada: en el archivo de la biblioteca',
  'reach.kept.token.keyring': 'hay un token guardado: en el llavero de claves de este equipo',
  'reach.kept.token.library': 'hay un token guardado: en el archivo de la biblioteca',
  'reach.only': 'Se envía solo a {origin}',
  'reach.user': 'Nombre',
  'reach.user.needed': 'Indicar el nombre.',
  'reach.password': 'Contraseña',
  'reach.password.needed': 'Indicar la contraseña.',
  'reach.token': 'Token',
  'reach.token.needed': 'Indicar el token.',
  'reach.secret.keep': 'Dejar vacío para conservar el que hay.',
  'reach.secret.where': 'Se guarda en el llavero de claves de este equipo y se envía solo a {origin}.',
  'reach.unencrypted':
    'Esta dirección no está cifrada: quien esté en el camino puede leer lo que se envía. Usar https:// si el sitio lo tiene.',
  'reach.agent': 'User-Agent',
  'reach.agent.own': 'El de Gleaner',
  'reach.agent.hint':
    'Cómo se presenta Gleaner ante este servidor. Dejar vacío, salvo que el servidor rechace a Gleaner por su nombre.',
  'reach.headers': 'Cabeceras',
  'reach.headers.hint':
    'Se envían con cada petición. Sus valores se guardan en el archivo de la biblioteca y no se muestran a nadie.',
  'reach.header.name': 'Nombre de la cabecera {number}',
  'reach.header.value': 'Valor de la cabecera {number}',
  'reach.header.kept': 'Se conserva como está',
  'reach.header.add': 'Añadir una cabecera',
  'reach.header.remove': 'Quitar la cabecera {number}',
  'reach.proxy': 'Proxy',
  'reach.proxy.system': 'Según el sistema',
  'reach.proxy.direct': 'Ninguno',
  'reach.proxy.own': 'Este',
  'reach.proxy.address': 'Dirección del proxy',
  'reach.proxy.hint': 'http, https o socks5, por ejemplo socks5://127.0.0.1:9050. Sin contraseña.',
  'reach.proxy.needed': 'Indicar la dirección del proxy.',
  'reach.saved': 'Ahora se accede a {title} de otro modo',

  // Without a keyring
  'keyring.none': 'Este equipo no tiene un llavero de claves que Gleaner pueda usar',
  'keyring.ask':
    '¿Puede guardarse la contraseña en el archivo de la biblioteca? Entonces solo esta cuenta de usuario podrá leer ese archivo; pero quien obtenga una copia, como una copia de seguridad, tendrá también la contraseña.',
  'keyring.ask.token':
    '¿Puede guardarse el token en el archivo de la biblioteca? Entonces solo esta cuenta de usuario podrá leer ese archivo; pero quien obtenga una copia, como una copia de seguridad, tendrá también el token.',
  'keyring.yes': 'Guardar en el archivo de la biblioteca',
  'keyring.no': 'No guardar',

  // Certificates
  'certificate.look': 'Examinar el certificado',
  'certificate.looking': 'Pidiendo su certificado a {host}…',
  'certificate.good': 'El certificado que muestra ahora {host} es bueno. Consultar de nuevo el feed.',
  'certificate.shown': 'El certificado que muestra {host}',
  'certificate.expired': 'Caducó el {date}.',
  'certificate.not_yet_valid': 'Solo es válido a partir del {date}.',
  'certificate.wrong_name': 'Es para {names}, y no para {host}.',
  'certificate.wrong_name.none': 'No nombra ningún sitio, y por tanto tampoco {host}.',
  'certificate.self_signed': 'Está autofirmado: nadie salvo él mismo responde por él.',
  'certificate.untrusted': 'Este equipo no confía en su autoridad.',
  'certificate.subject': 'Expedido a',
  'certificate.issuer': 'Por',
  'certificate.valid': 'Válido',
  'certificate.valid.span': 'del {from} al {until}',
  'certificate.fingerprint': 'SHA-256',
  'certificate.hint':
    'Aceptarlo solo si consta que es el del servidor: pedir a su propietario que compare la huella. Se acepta exactamente este certificado en {host}, y ningún otro.',
  'certificate.accept': 'Aceptar este certificado',
  'certificate.accepted': 'Certificado',
  'certificate.accepted.what': 'Se acepta exactamente este en {origin}, tenga lo que tenga de malo',
  'certificate.take_back': 'Dejar de aceptarlo',
  'certificate.done': 'El certificado de {title} está aceptado',
  'certificate.taken_back': 'El certificado de {title} ya no se acepta',

  // Adding what asks for something
  'add.login': '{host} pide iniciar sesión',
  'add.login.refused': '{host} rechazó este inicio de sesión',
  'add.login.do': 'Iniciar sesión',
  'add.certificate': 'El certificado de {host} no es bueno',
  'add.certificate.do': 'Aceptarlo y seguir',
  'add.file': 'Elegir un archivo…',
  'add.file.hint': 'O un feed que sea un archivo de este equipo:',

  // History
  'older.title': 'Artículos anteriores',
  'older.menu': 'Obtener artículos anteriores…',
  'older.what':
    'Lo que publicó antes de la suscripción, si mantiene un archivo: página a página, con una pausa entre ellas. Llegan como leídos.',
  'older.do': 'Obtener artículos anteriores',
  'older.further': 'Retroceder más',
  'older.stop': 'Dejar de obtener',
  'older.label': 'Obteniendo artículos anteriores',
  'older.starting': 'Buscando su archivo…',
  'older.pages': { one: '{count} página leída', many: '{count} de páginas leídas', other: '{count} páginas leídas' },
  'older.articles': {
    one: '{count} artículo anterior',
    many: '{count} de artículos anteriores',
    other: '{count} artículos anteriores',
  },
  'older.no_articles': 'ningún artículo anterior',
  'older.so_far': '{pages}, {articles}',
  'older.whole': 'No tiene nada anterior a esto.',
  'older.nothing_offered':
    'No ofrece archivo: de él no se pueden obtener artículos anteriores a los que contiene ahora.',
  'older.limit': 'Se detuvo en el límite de páginas; hay más.',
  'older.cancelled': 'Detenido a mano; lo que había llegado se queda.',
  'older.wait': 'Su servidor pide que no se le moleste hasta {when}; lo que había llegado se queda.',
  'older.elsewhere': 'Otro Gleaner está actualizando esta biblioteca; reintentar cuando termine.',
  'older.failed': 'Terminó antes de tiempo: {what}.',
  'older.done': '{title}: {what}',
};
