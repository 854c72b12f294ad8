import type { keys as english } from '../en/keys';
import type { Part } from '../languages';

/** Japanese for keys, their presets, and the command palette. Part of `words`. */
export const keys: Part<'ja', typeof english> = {
  'key.first': '最初の記事',
  'key.last': '最後の記事',
  'key.copy_link': 'リンクをコピー',
  'key.next_feed': '次のフィード',
  'key.previous_feed': '前のフィード',
  'key.palette': '何でも実行・検索',

  'palette.field': '操作、フィード、フォルダー、タグ…',
  'palette.offers': 'できること',
  'palette.feed': 'フィード',
  'palette.folder': 'フォルダー',
  'palette.tag': 'タグ',
  'palette.search': '保存した検索',
  'palette.search_for': '「{query}」を検索',

  'keys.preset': 'キーの割り当て',
  'keys.preset.gleaner': 'Gleaner',
  'keys.preset.vim': 'Vim と newsboat',
  'keys.preset.net_news_wire': 'NetNewsWire',
  'keys.preset.reader': 'Feedly と Google リーダー',
  'keys.preset.done': 'キーを {preset} の割り当てにしました。独自の変更は失われました',
  'keys.reset': '独自の変更を取り消す',
  'keys.reset.done': 'すべてのキーを {preset} の割り当てに戻しました',
  'keys.none': 'キーなし',
  'keys.change': '「{name}」のキーを変更',
  'keys.changing': '「{name}」のキー',
  'keys.press': '新しいキーを押してください',
  'keys.pressed': 'Enter で追加、Backspace でやり直し、Esc で中止します。',
  'keys.clash': '現在の割り当て：{name}。そちらからは外れます。',
  'keys.remove': '{keys} を外す',
  'keys.fixed': '{keys} は常に「{name}」です。別のキーを選んでください。',
  'keys.plain': '文字入力に使うキーです。Ctrl か Alt と組み合わせてください。',
  'keys.add': '追加',
  'keys.own': '変更済み',
};
