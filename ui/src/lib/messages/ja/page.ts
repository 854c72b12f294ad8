import type { page as english } from '../en/page';
import type { Part } from '../languages';

/** Japanese for the page of an article: pictures shown large, notes that pop up, finding, copying, reading aloud. Part of `words`. */
export const page: Part<'ja', typeof english> = {
  'key.browser_behind': 'ここに留まってブラウザーで開く',
  'key.copy_titled_link': 'タイトル付きでリンクをコピー',
  'key.copy_markdown': 'Markdown でコピー',
  'key.zoom': '画像を大きく表示',
  'key.find': '記事内を検索',
  'key.find_next': '記事内の次の一致',
  'key.find_previous': '記事内の前の一致',
  'key.read_aloud': '読み上げ、または停止',

  'page.box': '横に長い部分、横にスクロール',
  'page.note': '注 {sign}',
  'page.note.go': '注へ移動',

  'page.zoom': '画像を大きく表示',
  'page.zoom.named': '大きく表示：{alt}',
  'zoom.title': '画像',
  'zoom.place': '画像 {count} 枚中 {place} 枚目',
  'zoom.previous': '前の画像',
  'zoom.next': '次の画像',
  'zoom.in': '拡大',
  'zoom.out': '縮小',
  'zoom.fit': 'ウィンドウに合わせる',
  'zoom.full': '実際のサイズ',
  'zoom.percent': '{percent}%',
  'zoom.failed': 'この画像を読み込めませんでした。',
  'zoom.none': 'この記事に大きく表示できる画像はありません',

  'find.bar': '記事内を検索',
  'find.field': '記事内を検索',
  'find.next': '次の一致',
  'find.previous': '前の一致',
  'find.close': '検索を終える',
  'find.none': '見つかりません',
  'find.place': '{count} 件中 {place} 件目',
  'find.place.more': '{count} 件以上のうち {place} 件目',

  'copy.markdown.done': '記事を Markdown でコピーしました',
  'copy.markdown.failed': '記事をコピーできませんでした',

  'aloud.pause': '一時停止',
  'aloud.resume': '再開',
  'aloud.stop': '停止',
  'aloud.bar': '読み上げ中',
};
