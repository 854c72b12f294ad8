import type { preferences as english } from '../en/preferences';
import type { Part } from '../languages';

/** Japanese for what is wished of a feed or folder. Part of `words`. */
export const preferences: Part<'ja', typeof english> = {
  'prefs.title': '「{title}」の設定',
  'prefs.menu': '設定…',
  'prefs.hint': 'ここで設定していない項目は、フォルダーまたはすべてのフィードの設定に従います。',
  'prefs.asking': '更新',
  'prefs.images': 'Web 上の画像',
  'prefs.images.show': '表示する',
  'prefs.images.hide': '表示しない',
  'prefs.images.done': '「{title}」の画像を表示します',
  'prefs.yes': 'はい',
  'prefs.no': 'いいえ',
  'prefs.notify': '新しい記事をデスクトップに通知する',
  'prefs.notify.hint':
    '更新ごとに 1 件、最新のタイトルを通知します。ルールで既読または非表示になった記事は通知しません。',
  'key.preferences': 'フィードまたはフォルダーの設定',
  'article.always_pictures_feed': 'このフィードでは常に表示',
};
