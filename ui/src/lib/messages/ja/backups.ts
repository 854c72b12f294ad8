import type { backups as english } from '../en/backups';
import type { Part } from '../languages';

/** Japanese for copies of the library, and for the way back to a whole one. Part of `words`. */
export const backups: Part<'ja', typeof english> = {
  'backups.title': 'バックアップ',
  'backups.what':
    'ウィンドウが開いている間、変更があればライブラリは一日に一度自動でコピーされます。古いコピーは新しいものに置き換わりますが、手動で作ったものは残ります。',
  'backups.last': '前回のバックアップ：{when}',
  'backups.none': 'バックアップはまだありません。',
  'backups.now': '今すぐバックアップ',
  'backups.made': 'バックアップしました：{size}',
  'backups.list': 'バックアップ（新しい順）',
  'backups.daily': '自動作成',
  'backups.upgrade': 'Gleaner の更新前',
  'backups.by_hand': '手動で作成',
  'backups.restore': '復元…',
  'backups.restore.label': '{date} のバックアップを復元…',
  'backups.ask': '{date} に戻しますか？',
  'backups.ask.aside':
    'それ以降に届いたり読んだりしたものは含まれません。現在のライブラリは {folder} に移され、削除されることはありません。',
  'backups.restore.do': '復元する',
  'backups.where': 'ライブラリの場所',
  'backups.show': 'フォルダーを開く',

  'backups.damage': 'ライブラリに読み取れない部分がある場合',
  'backups.recover': '読み取れるものを回復',
  'backups.recover.what':
    'まだ読み取れるものすべてから新しいライブラリを作り、足りない部分は最新のバックアップから補います。壊れたライブラリは {folder} に移され、削除されることはありません。',
  'backups.recover.no_backup':
    'まだ読み取れるものすべてから新しいライブラリを作ります。足りない部分を補うバックアップはありません。壊れたライブラリは {folder} に移され、削除されることはありません。',
  'backups.choose': 'バックアップを復元…',

  'backups.backing_up': 'ライブラリをコピーしています…',
  'backups.restoring': 'バックアップを戻し、完全かどうか確認しています…',
  'backups.recovering':
    '読み取れるものを読んでいます。大きなライブラリでは数分かかります。ウィンドウは開いたままで構いません。',
  'backups.busy':
    '別のプログラム（二つ目のウィンドウまたは glean）がライブラリを開いています。閉じてから再試行してください。何も変更されていません。',
  'backups.not_whole': 'このバックアップは完全には読み取れません。何も変更されていません。別のものを選んでください。',

  // What came of it
  'renewed.restored': 'バックアップを復元しました',
  'renewed.recovered': 'ライブラリを回復しました',
  'renewed.feeds': { other: 'フィード {count} 件' },
  'renewed.articles': { other: '記事 {count} 件' },
  'renewed.as_of': 'ライブラリは {date} 時点の状態です。',
  'renewed.whole': 'すべて読み取れました。',
  'renewed.filled': '一部は読み取れませんでした。足りない部分は、{date} のバックアップにあるかぎりそこから補いました。',
  'renewed.gaps': '一部は読み取れず、補うためのバックアップもありませんでした。',
  'renewed.lost': '読み取れなかったもの',
  'renewed.pieces': { other: '{what}：{count} 件' },
  'renewed.aside': '以前のライブラリの移動先',
};
