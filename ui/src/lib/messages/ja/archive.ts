import type { archive as english } from '../en/archive';
import type { Part } from '../languages';

/** Japanese for what goes out of the library as an archive or as documents, and for archives that come in. Part of `words`. */
export const archive: Part<'ja', typeof english> = {
  'menu.export_everything': 'すべて書き出す…',
  'archive.done': { other: '記事 {count} 件を {path} に書き出しました' },
  'archive.no_secrets': 'パスワード、トークン、ヘッダーは含まれません。内容は README.txt に書かれています。',
  'archive.label': '書き出し中',
  'archive.progress': '記事 {total} 件中 {done} 件を書き出しています',
  'archive.writing': '{file} を書き出しています',
  'archive.cancel': '書き出しを停止',
  'archive.stopped': '書き出しを停止しました。何も書き出されていません',
  'archive.articles': '記事 {total} 件中 {done} 件を取り込んでいます',
  'archive.added': { other: '記事 {count} 件を追加しました' },
  'archive.there': { other: '記事 {count} 件はすでにありました' },
  'archive.feeds_there': { other: 'フィード {count} 件はすでにありました' },
  'archive.marked': { other: '記事 {count} 件の印を元どおりにしました' },
  'archive.rules': { other: 'ルール {count} 件を追加しました' },
  'archive.searches': { other: '保存した検索 {count} 件を追加しました' },
  'archive.pictures': { other: '画像 {count} 枚を追加しました' },
  'archive.left_out': { other: '全部で {count} 件を除外しました' },
  'archive.access':
    'パスワード、トークン、ヘッダーはアーカイブに含まれません。必要なフィードでは「このフィードについて」で入力し直してください。',

  'save.markdown': 'Markdown で保存…',
  'save.html': 'HTML で保存…',
  'save.epub': 'EPUB で保存…',
  'save.results': '検索結果を保存',
  'save.results.markdown': 'すべて Markdown で保存…',
  'save.results.html': 'すべて HTML で保存…',
  'save.results.epub': 'すべて EPUB で保存…',
};
