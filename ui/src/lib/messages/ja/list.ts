import type { list as english } from '../en/list';
import type { Part } from '../languages';

/** Japanese for the list of articles: its orders, its headers, how it is drawn, and many chosen at once. Part of `words`. */
export const list: Part<'ja', typeof english> = {
  'list.view': '一覧の表示方法',
  'list.order.newest': '新しい順',
  'list.order.oldest': '古い順',
  'list.order.by_feed': 'フィード順',
  'list.order.rare_first': '投稿の少ないフィード順',
  'list.order.longest': '長い順',
  'list.order.shortest': '短い順',
  'list.group.none': '見出しなし',
  'list.group.day': '日ごとの見出し',
  'list.group.feed': 'フィードごとの見出し',
  'list.river': 'リバー：位置を覚え、件数は数えない',
  'list.updated': '届いてから変更あり',

  'layout.panes': '3 ペイン',
  'layout.magazine': 'マガジン',
  'layout.compact': '一行表示',
  'layout.zen': '本文のみ',
  'layout.zen.leave': '本文のみの表示を終える',

  'pick.bar': '選択した記事',
  'pick.count': { other: '{count} 件を選択中' },
  'pick.act': '{what}（{count}）',
  'pick.tags': { other: '記事 {count} 件のタグ' },
  'pick.read': '既読にする',
  'pick.unread': '未読にする',
  'pick.star': 'スターを付ける',
  'pick.unstar': 'スターを外す',
  'pick.hide': '非表示にする',
  'pick.unhide': '一覧に再び表示',
  'pick.links': 'リンクをコピー',
  'pick.save': '一つの文書として保存',
  'pick.none': '選択を解除',
  'pick.hid': { other: '記事 {count} 件を非表示にしました' },
  'pick.unhid': { other: '記事 {count} 件を一覧に戻しました' },
  'pick.copied': { other: 'リンク {count} 件をコピーしました' },
  'pick.no_links': 'これらの記事にはアドレスがありません。',

  'key.pick': '記事を選択、または選択を解除',
  'key.pick_all': 'すべての記事を選択、または選択を解除',
  'key.new_ones': '新しい記事を表示',
  'key.list_layout': '一覧の表示を切り替え',
  'key.zen': '本文のみ、または一覧も表示',

  'settings.thumbnails': '一覧に小さな画像を表示',
  'settings.thumbnails.hint': 'ウェブの画像は、画像を読み込む設定のときだけ。保存済みの画像は常に表示します。',
  'settings.read_on_scroll': 'スクロールで通り過ぎた記事を既読にする',
  'settings.read_on_scroll.hint': '自分でスクロールしたものに限ります。元に戻せます。',
};
