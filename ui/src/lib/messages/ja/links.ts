import type { links as english } from '../en/links';
import type { Part } from '../languages';

/** Japanese for where links lead. Part of `words`. */
export const links: Part<'ja', typeof english> = {
  'links.refused': '開きません：{scheme} のリンクはウェブページに通じていません',
  'links.claims': 'リンクの文字は {host} となっています',
  'links.user': '@ の前は単なるユーザー名です',
  'links.look': '紛らわしい文字を含む名前です。実際に送られる形で表示しています',
  'links.title': 'このリンクの行き先でよいですか？',
  'links.leads': 'このリンクは {host} に通じています。',
  'links.claims.long': 'リンクの文字は別のサイト {host} を示しています。',
  'links.user.long': 'ここでの {user} は単なるユーザー名です。サイトは @ の後の部分です。',
  'links.look.long':
    'サイトの名前に、ほかの文字と紛らわしい文字があり、よく知るサイトに見えるおそれがあります。コンピューターが扱う形で表示しています。',
  'links.open': '{host} を開く',
  'links.copy': 'アドレスをコピー',
  'links.stay': '開かない',
};
