import type { preferences as english } from '../en/preferences';
import type { Part } from '../languages';

/** Chinese, in simplified letters for what is wished of a feed or folder. Part of `words`. */
export const preferences: Part<'zh', typeof english> = {
  'prefs.title': '“{title}”的设置',
  'prefs.menu': '设置…',
  'prefs.hint': '此处未设置的项目，与所在文件夹或所有订阅源相同。',
  'prefs.asking': '刷新',
  'prefs.images': '网络图片',
  'prefs.images.show': '显示',
  'prefs.images.hide': '不显示',
  'prefs.images.done': '将显示“{title}”的图片',
  'prefs.yes': '是',
  'prefs.no': '否',
  'prefs.notify': '在桌面上通知新文章',
  'prefs.notify.hint': '每次刷新发出一条通知，列出最新的标题。被规则标为已读或隐藏的文章不会通知。',
  'key.preferences': '订阅源或文件夹的设置',
  'article.always_pictures_feed': '此订阅源始终显示',
};
