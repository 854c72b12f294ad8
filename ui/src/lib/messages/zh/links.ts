import type { links as english } from '../en/links';
import type { Part } from '../languages';

/** Simplified Chinese for where links lead. Part of `words`. */
export const links: Part<'zh', typeof english> = {
  'links.refused': '未打开：{scheme} 链接不指向网页',
  'links.claims': '链接文字写的是 {host}',
  'links.user': '@ 之前的部分只是用户名',
  'links.look': '名称中有形近字符；这是实际发送的形式',
  'links.title': '此链接是否通向想去的网站？',
  'links.leads': '此链接指向 {host}。',
  'links.claims.long': '链接文字写的是另一个网站：{host}。',
  'links.user.long': '{user} 在这里只是用户名：@ 之后的部分才是网站。',
  'links.look.long': '该网站的名称中有与其他字符形近的字符，可能冒充熟悉的网站。这里按计算机的写法显示。',
  'links.open': '打开 {host}',
  'links.copy': '复制地址',
  'links.stay': '留在这里',
};
